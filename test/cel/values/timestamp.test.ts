/** Timestamps are read and written as RFC 3339 has it, and stay within the years 1 to 9999. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	addDuration,
	parseTimestamp,
	subtractDuration,
	timeBetween,
	timestampFromMs,
	timestampOf,
	timestampText,
} from "../../../src/cel/values/timestamp.ts";
import { byLibrary, DURATIONS, outcome, TIMESTAMPS } from "./samples.ts";

test("property: the text of a timestamp is the library's, and the text of it again", () => {
	fc.assert(
		fc.property(TIMESTAMPS, (timestamp) => {
			const text = timestampText(timestamp);
			expect(`string "${text}"`).toBe(byLibrary("string(a)", timestamp));
			expect(parseTimestamp(text)).toEqual(timestamp);
		}),
		{ numRuns: 1000 },
	);
});

test("property: what a calendar and a clock can show is read, all else is refused", () => {
	const two = (most: number) => fc.nat(most);
	const written = fc.record({
		year: fc.oneof(fc.constantFrom(0, 1, 99, 100, 1900, 2000, 2024, 9999), fc.nat(9999)),
		month: two(13),
		day: two(32),
		hour: two(24),
		minute: two(60),
		second: two(60),
		decimals: fc.constantFrom("", ".1", ".25", ".123456789", ".9999999999", ".00000000019"),
		sign: fc.constantFrom("+", "-"),
		offsetHours: two(24),
		offsetMinutes: two(60),
	});
	const digits = (value: number, count = 2): string => String(value).padStart(count, "0");
	fc.assert(
		fc.property(written, (w) => {
			const date = `${digits(w.year, 4)}-${digits(w.month)}-${digits(w.day)}`;
			const clock = `${digits(w.hour)}:${digits(w.minute)}:${digits(w.second)}${w.decimals}`;
			const offset = `${w.sign}${digits(w.offsetHours)}:${digits(w.offsetMinutes)}`;
			const day = new Date(0);
			day.setUTCFullYear(w.year, w.month - 1, w.day);
			const exists =
				day.getUTCMonth() === w.month - 1 &&
				day.getUTCDate() === w.day &&
				Math.max(w.hour, w.offsetHours) < 24 &&
				Math.max(w.minute, w.second, w.offsetMinutes) < 60;
			const minutes =
				w.hour * 60 + w.minute - Number(`${w.sign}1`) * (w.offsetHours * 60 + w.offsetMinutes);
			const seconds = day.getTime() / 1000 + minutes * 60 + w.second;
			const inRange = seconds >= -62_135_596_800 && seconds <= 253_402_300_799;
			expect(outcome(() => parseTimestamp(`${date}T${clock}${offset}`))).toBe(
				exists && inRange
					? `timestamp ${seconds}.${Number(w.decimals.slice(1, 10).padEnd(9, "0"))}`
					: "failure",
			);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	["0001-01-01T00:00:00Z", -62_135_596_800, 0],
	["9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999],
	["2000-02-29T12:00:00+01:00", 951_822_000, 0],
	["1969-12-31T23:59:59.5Z", -1, 500_000_000],
	["2020-01-01T00:00:00.1234567891Z", 1_577_836_800, 123_456_789],
	["2020-01-01T00:00:00.9999999999+00:00", 1_577_836_800, 999_999_999],
	["1969-12-31T23:59:59.9999999999Z", -1, 999_999_999],
	[`1970-01-01T00:00:00.${"0".repeat(107)}Z`, 0, 0],
])("%s", (text, seconds, nanos) => {
	expect(parseTimestamp(text)).toEqual({ seconds, nanos });
});

test.each([
	"",
	"2024-01-01",
	"2024-01-01T00:00:00",
	"2024-01-01 00:00:00Z",
	"2024-01-01T00:00:00z",
	"2024-1-1T00:00:00Z",
	"2024-01-01T00:00Z",
	"2024-01-01T00:00:00.Z",
	"2024-01-01T00:00:00.1234567890",
	`1970-01-01T00:00:00.${"0".repeat(108)}Z`,
	"2024-01-01T00:00:00Z ",
	"2023-02-29T00:00:00Z",
	"2024-01-01T24:00:00Z",
	"2024-01-01T23:59:60Z",
	"0000-12-31T23:59:59Z",
	"10000-01-01T00:00:00Z",
	"0001-01-01T00:00:00+00:01",
	"9999-12-31T23:59:59-00:01",
])("%j is no timestamp", (text) => {
	expect(outcome(() => parseTimestamp(text))).toBe("failure");
});

test("property: sums and differences are exact", () => {
	fc.assert(
		fc.property(TIMESTAMPS, TIMESTAMPS, DURATIONS, (a, b, duration) => {
			expect(outcome(() => addDuration(a, duration))).toBe(byLibrary("a + b", a, duration));
			expect(outcome(() => subtractDuration(a, duration))).toBe(byLibrary("a - b", a, duration));
			expect(outcome(() => timeBetween(a, b))).toBe(byLibrary("a - b", a, b));
		}),
		{ numRuns: 500 },
	);
});

test("milliseconds, before the epoch too", () => {
	expect(timestampFromMs(1_700_000_000_123)).toEqual({
		seconds: 1_700_000_000,
		nanos: 123_000_000,
	});
	expect(timestampFromMs(-1)).toEqual({ seconds: -1, nanos: 999_000_000 });
	expect(timestampFromMs(0)).toEqual({ seconds: 0, nanos: 0 });
});

test("nanoseconds are carried into seconds", () => {
	expect(timestampOf(0, -1)).toEqual({ seconds: -1, nanos: 999_999_999 });
	expect(timestampOf(1, 2_000_000_001)).toEqual({ seconds: 3, nanos: 1 });
	expect(outcome(() => timestampOf(253_402_300_799, 1_000_000_000))).toBe("failure");
	expect(outcome(() => timestampOf(-62_135_596_800, -1))).toBe("failure");
});
