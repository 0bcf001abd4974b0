/** `--expires` of `weir keys create`: spans and times, and what is neither. */
import { expect, it } from "vitest";
import { parseExpiry } from "../../../src/process/commands/key-expiry.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");

it.each([
	["1h", "2026-11-22T13:00:00.000Z"],
	["90d", "2027-02-20T12:00:00.000Z"],
	["8w", "2027-01-17T12:00:00.000Z"],
	["2027-01-31", "2027-01-31T00:00:00.000Z"],
	["2028-02-29", "2028-02-29T00:00:00.000Z"],
	["2027-01-31T18:30Z", "2027-01-31T18:30:00.000Z"],
	["2027-01-31T18:30:15.250Z", "2027-01-31T18:30:15.250Z"],
	["2027-01-31T18:30:00+02:00", "2027-01-31T16:30:00.000Z"],
	["9999-12-31", "9999-12-31T00:00:00.000Z"],
])("%s is %s", (text, time) => {
	expect(parseExpiry(text, NOW)).toEqual({ ok: true, value: time });
});

it.each([
	..."90,0d,-1d,1.5d,90D,90days,1m,d,1d2h,never,9999999d,999999w,tomorrow,2027,2027-1-31".split(
		",",
	),
	..."2027-13-01,2027-02-29,2027-02-31,2027-01-31T18:30,2027-01-31 18:30Z,31.01.2027".split(","),
	..."2027-01-31T25:00Z,2027-01-31T18:30:00+99:00,+010000-01-01, 90d".split(","),
])("%j is no span and no date", (text) => {
	const parsed = parseExpiry(text, NOW);
	expect(parsed).toEqual({
		ok: false,
		error: `--expires: "${text}" is no span and no date; write e.g. 90d (or h, w), 2027-01-31 or 2027-01-31T18:00:00Z`,
	});
});

it.each(["2026-11-22", "2026-11-22T12:00Z", "1999-12-31"])("%s has passed", (text) => {
	const parsed = parseExpiry(text, NOW);
	expect(parsed).toMatchObject({
		ok: false,
		error: expect.stringMatching(/Z has passed already$/),
	});
});
