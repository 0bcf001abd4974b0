import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../../src/limits/limits.ts";
import {
	formatDuration,
	parseDuration,
	parseRate,
} from "../../../../src/policy/actions/rate-limit/duration.ts";

const SECOND = 1_000_000_000n;

describe("parseDuration reads what Go writes", () => {
	test.each<[string, bigint]>([
		["0", 0n],
		["90s", 90n * SECOND],
		["1h30m", 5400n * SECOND],
		["1.5m", 90n * SECOND],
		["90000ms", 90n * SECOND],
		["+5s", 5n * SECOND],
		["-1.5h", -5400n * SECOND],
		[".5s", SECOND / 2n],
		["1.s", SECOND],
		["1us", 1000n],
		["1µs", 1000n],
		["1μs", 1000n],
		["1ns", 1n],
		["1.9ns", 1n],
		["3m2h1m", 7440n * SECOND],
		["0.1h", 360n * SECOND],
	])("%s", (text, nanoseconds) => {
		expect(parseDuration(text)).toEqual({ ok: true, value: nanoseconds });
	});

	test.each([
		["", '"" is no duration; write e.g. "90s" or "1h30m"'],
		["90", '"90" has no unit; did you mean "90s"?'],
		[" 90s", '" 90s" is no duration; write e.g. "90s" or "1h30m"'],
		["90 s", '"90 s" is no duration; write e.g. "90s" or "1h30m"'],
		["1d", 'unknown unit "d" in a duration; units are h, m, s, ms, us, ns'],
		["1min", 'unknown unit "min" in a duration; units are h, m, s, ms, us, ns'],
		["1hs", 'unknown unit "hs" in a duration; units are h, m, s, ms, us, ns'],
		["s", "a number is missing before a unit"],
		[".s", "a number is missing before a unit"],
		["1S", '"1S" is no duration; write e.g. "90s" or "1h30m"'],
		["1e3s", 'unknown unit "e" in a duration; units are h, m, s, ms, us, ns'],
		["constructor", 'unknown unit "constructor" in a duration; units are h, m, s, ms, us, ns'],
		["--1s", '"--1s" is no duration; write e.g. "90s" or "1h30m"'],
		["-", '"-" is no duration; write e.g. "90s" or "1h30m"'],
		[`${"9".repeat(100_000)}s`, "is too long for a duration"],
	])("refuses $0", (text, message) => {
		const parsed = parseDuration(text);
		expect(parsed.ok ? parsed.value : parsed.error).toBe(message);
	});
});

describe("parseRate", () => {
	test.each([
		["60s", 60_000],
		["1m", 60_000],
		["90s", 90_000],
		["10m", 600_000],
		["1h30m", 5_400_000],
		["24h", 86_400_000],
		["86400s", 86_400_000],
		["1.5m", 90_000],
		["90000ms", 90_000],
	])("%s", (text, milliseconds) => {
		expect(parseRate(text)).toEqual({ ok: true, value: milliseconds });
	});

	test.each([
		["0", '"0" is too short; at least 1m'],
		["59.999999999s", '"59.999999999s" is too short; at least 1m'],
		["-60s", '"-60s" is too short; at least 1m'],
		["24h0m1ns", '"24h0m1ns" is too long; at most 24h'],
		["1000000h", '"1000000h" is too long; at most 24h'],
		["65s", '"65s" is no whole multiple of 10s, e.g. "90s" or "10m"'],
		["60s1ns", '"60s1ns" is no whole multiple of 10s, e.g. "90s" or "10m"'],
	])("refuses %s", (text, message) => {
		expect(parseRate(text)).toEqual({ ok: false, error: message });
	});

	test("every allowed window reads back from its shortest spelling", () => {
		const steps = fc.integer({
			min: LIMITS.rateMinMs / LIMITS.rateStepMs,
			max: LIMITS.rateMaxMs / LIMITS.rateStepMs,
		});
		fc.assert(
			fc.property(steps, (count) => {
				const milliseconds = count * LIMITS.rateStepMs;
				expect(parseRate(formatDuration(milliseconds))).toEqual({ ok: true, value: milliseconds });
			}),
		);
	});
});

test("parseDuration adds up terms, whatever their order, and never throws", () => {
	const unit = fc.constantFrom(["h", 3600n], ["m", 60n], ["s", 1n]);
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.nat(999), unit), { minLength: 1, maxLength: 8 }), (terms) => {
			const text = terms.map(([count, [name]]) => `${count}${name}`).join("");
			const total = terms.reduce(
				(sum, [count, [, size]]) => sum + BigInt(count) * BigInt(size),
				0n,
			);
			expect(parseDuration(text)).toEqual({ ok: true, value: total * SECOND });
		}),
	);
	fc.assert(fc.property(fc.string(), (text) => typeof parseDuration(text).ok === "boolean"));
});
