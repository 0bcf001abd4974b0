/** Durations are read and written as the reference implementation does, and never leave their range. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	addDurations,
	durationOf,
	durationText,
	parseDuration,
	subtractDurations,
} from "../../../src/cel/values/duration.ts";
import { byLibrary, DURATIONS, outcome } from "./samples.ts";

const MAX = 2n ** 63n - 1n;

test("property: seconds and nanoseconds of any sign become one duration, or are out of range", () => {
	const seconds = fc.oneof(
		fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }),
		fc.integer({ min: -2, max: 2 }),
		fc.constantFrom(9_223_372_036, -9_223_372_036, 9_223_372_037),
	);
	const nanos = fc.oneof(
		fc.integer({ min: -3_000_000_000, max: 3_000_000_000 }),
		fc.constantFrom(854_775_807, 854_775_808, -854_775_808, -854_775_809, 145_224_192),
	);
	fc.assert(
		fc.property(seconds, nanos, (s, n) => {
			const total = BigInt(s) * 1_000_000_000n + BigInt(n);
			const fits = total <= MAX && total >= -MAX - 1n;
			expect(outcome(() => durationOf(s, n))).toBe(
				fits ? `duration ${total / 1_000_000_000n}.${total % 1_000_000_000n}` : "failure",
			);
		}),
		{ numRuns: 2000 },
	);
});

test("property: the text of a duration is the text of it again", () => {
	fc.assert(
		fc.property(DURATIONS, (duration) => {
			expect(parseDuration(durationText(duration))).toEqual(duration);
		}),
		{ numRuns: 1000 },
	);
});

test("property: texts are read as the library reads them", () => {
	const digits = fc.stringMatching(/^\d{0,9}$/);
	const unit = fc.constantFrom("ns", "us", "µs", "ms", "s", "m", "h", "d", "");
	const component = fc
		.tuple(digits, fc.option(digits), unit)
		.map(([whole, decimals, name]) => `${whole}${decimals === null ? "" : `.${decimals}`}${name}`);
	const text = fc
		.tuple(fc.constantFrom("", "-", "+"), fc.array(component, { minLength: 1, maxLength: 3 }))
		.map(([sign, components]) => sign + components.join(""));
	fc.assert(
		fc.property(text, (written) => {
			// which the library takes for 0
			fc.pre(/[^+-]/.test(written));
			expect(outcome(() => parseDuration(written))).toBe(byLibrary("duration(a)", written));
		}),
		{ numRuns: 2000 },
	);
});

test("property: sums and differences are exact", () => {
	fc.assert(
		fc.property(DURATIONS, DURATIONS, (a, b) => {
			expect(outcome(() => addDurations(a, b))).toBe(byLibrary("a + b", a, b));
			expect(outcome(() => subtractDurations(a, b))).toBe(byLibrary("a - b", a, b));
		}),
		{ numRuns: 500 },
	);
});

test.each([
	["0", "0s"],
	["-0", "0s"],
	["1h2m3.5s", "3723.5s"],
	["-1.5h", "-5400s"],
	["9223372036854775807ns", "9223372036.854775807s"],
	["-9223372036854775808ns", "-9223372036.854775808s"],
	["1.5ns", "0.000000001s"],
	["0.0000000005m", "0.00000003s"],
	["1000000.000001us", "1.000000000s".replace(/\.0+/, "")],
	["1\u03bcs", "0.000001s"],
	["00000000000000000000000001s", "1s"],
])("%s is %s", (written, text) => {
	expect(durationText(parseDuration(written))).toBe(text);
});

test.each([
	"",
	"-",
	"1",
	"s",
	".s",
	"1d",
	"1s ",
	" 1s",
	"1 s",
	"--1s",
	"1e3s",
	"0x1s",
	"9223372036854775808ns",
	`${"1".repeat(127)}s`,
	`${"0".repeat(200)}1s`,
])("%j is no duration", (written) => {
	expect(outcome(() => parseDuration(written))).toBe("failure");
});
