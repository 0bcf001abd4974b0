/** Numbers as text: exact, ties to the even digit, held against the platform where that is exact too. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	fixedText,
	scientificText,
	shortestText,
} from "../../../src/cel/library/format-numbers.ts";
import { charged, outcome } from "./calls.ts";

const precision = fc.integer({ min: 0, max: 30 });

/** value × 10^places, exactly, as a fraction: what a decimal text stands for. */
function fractionOf(text: string): readonly [numerator: bigint, denominator: bigint] {
	const [, sign = "", whole = "", decimals = "", power = "0"] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
	const exponent = Number(power) - decimals.length;
	const digits = BigInt(sign + whole + decimals);
	return exponent < 0 ? [digits, 10n ** BigInt(-exponent)] : [digits * 10n ** BigInt(exponent), 1n];
}

/** All digits of a double, as the platform gives them: up to 100 decimals, which doubles beyond 2⁻⁴⁰ don't exceed. */
const exactText = (value: number): string => value.toFixed(100);
const ordinary = fc
	.double({ min: -1e15, max: 1e15, noNaN: true })
	.map((value) => Math.fround(value))
	.filter((value) => value === 0 || Math.abs(value) > 2 ** -40);

test("property: fixed and scientific texts are the nearest of their kind, the even one of two", () => {
	fc.assert(
		fc.property(ordinary, precision, (value, places) => {
			for (const text of [fixedText(value, places), scientificText(value, places)]) {
				const [numerator, denominator] = fractionOf(text);
				const [exactNumerator, exactDenominator] = fractionOf(exactText(value));
				const power = Number(/e(.*)/.exec(text)?.[1] ?? "0");
				// twice the distance, in units of the last digit
				const unit = 10n ** BigInt(Math.abs(power - places));
				const distance = 2n * (numerator * exactDenominator - exactNumerator * denominator);
				const scaled = power - places < 0 ? distance * unit : distance / unit;
				const size = scaled < 0n ? -scaled : scaled;
				const one = denominator * exactDenominator;
				expect(size <= one, text).toBe(true);
				if (size === one) expect(Number(/\d(?=e|$)/.exec(text)?.[0]) % 2, text).toBe(0);
			}
		}),
		{ numRuns: 1000 },
	);
});

test("property: away from ties they are what the platform writes", () => {
	fc.assert(
		fc.property(fc.double({ min: -1e20, max: 1e20, noNaN: true }), precision, (value, places) => {
			fc.pre(
				value !== 0 && !value.toFixed(Math.min(100, places + 60)).endsWith("5".padEnd(60, "0")),
			);
			expect(fixedText(value, places)).toBe(
				`${value < 0 && Number(value.toFixed(places)) === 0 ? "-" : ""}${value.toFixed(places)}`.replace(
					"--",
					"-",
				),
			);
		}),
	);
});

test("property: doubles of every size keep their value, and the shortest text reads back", () => {
	fc.assert(
		fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
			expect(Number(scientificText(value, 17))).toBe(value);
			expect(Number(fixedText(value, 1100))).toBe(value);
			const shortest = shortestText(value);
			expect(Number(shortest)).toBe(value);
			expect(shortest).toMatch(/^-?\d+(\.\d*[1-9])?$/);
			expect(shortest.replace(/[-.]/g, "").replace(/^0+|0+$/g, "").length).toBeLessThanOrEqual(17);
		}),
	);
});

test("property: ints of every size are exact", () => {
	fc.assert(
		fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }), precision, (value, places) => {
			expect(fixedText(value, places)).toBe(
				places === 0 ? String(value) : `${value}.${"0".repeat(places)}`,
			);
			expect(shortestText(value)).toBe(String(value));
		}),
	);
});

test.each<[number | bigint, number, string, string]>([
	[0, 2, "0.00", "0.00e+00"],
	[-0, 0, "-0", "-0e+00"],
	[0.5, 0, "0", "5e-01"],
	[1.5, 0, "2", "2e+00"],
	[2.5, 0, "2", "2e+00"],
	[-2.5, 0, "-2", "-2e+00"],
	[0.125, 2, "0.12", "1.25e-01"],
	[0.375, 2, "0.38", "3.75e-01"],
	[9.96, 1, "10.0", "1.0e+01"],
	[1e23, 0, "99999999999999991611392", "1e+23"],
	[5e-324, 0, "0", "5e-324"],
	[25n, 0, "25", "2e+01"],
	[-15n, 0, "-15", "-2e+01"],
	[Number.NaN, 1, "NaN", "NaN"],
	[Number.NEGATIVE_INFINITY, 1, "-Infinity", "-Infinity"],
])("%s with %s decimals", (value, places, fixed, scientific) => {
	expect(fixedText(value, places)).toBe(fixed);
	expect(scientificText(value, places)).toBe(scientific);
});

test("a text that would be too long is refused, and a long one is charged for", () => {
	expect(outcome(() => fixedText(1, 10_000_000))).toContain("failure: a text of more than");
	expect(charged(() => scientificText(1, 1_000_000))).toBeGreaterThan(100_000);
	expect(charged(() => fixedText(5e-324, 1))).toBeGreaterThan(charged(() => fixedText(0.5, 1)));
});
