/** A function known by its values alone is bounded between its samples too. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundOf, isConstant, largest, quantity } from "../../../src/cel/cost/bound.ts";
import { applied } from "../../../src/cel/cost/majorant.ts";

type Growing = (a: number, b: number) => number;

/** None falls where a size grows; some jump, some bend down, some multiply. */
const FUNCTIONS: readonly Growing[] = [
	() => 7,
	(a, b) => 60 + 4 * (a + b),
	(a, b) => (b <= 1 ? a / 4 : 4 * (a + b)),
	(a, b) => a * b,
	(a, b) => Math.min(a * b, 1000),
	(a) => Math.sqrt(a),
	(a, b) => a * Math.log2(a + 2) + b,
	(a) => (a > 5000 ? 1e6 : 1),
	(a, b) => Math.ceil(a / 3) * 4 + 2 ** Math.min(b, 20),
];

const size = fc.oneof(fc.nat(40), fc.nat(70_000));

describe("applied", () => {
	it("is above the function at every size there can be", () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...FUNCTIONS),
				size,
				size,
				fc.double({ min: 0, max: 1, noNaN: true }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				(f, aMost, bMost, aPart, bPart) => {
					const [a, b] = [Math.floor(aMost * aPart), Math.floor(bMost * bPart)];
					const [first, second] = [quantity(aMost, aMost), quantity(bMost, bMost)];
					const bound = applied(f, [boundOf(first), boundOf(second)]);
					const values = new Map([
						[first, a],
						[second, b],
					]);
					if (isConstant(bound)) expect(bound).toBeGreaterThanOrEqual(f(a, b));
					else {
						let value = bound.constant;
						for (const { coefficient, quantities } of bound.terms) {
							value += quantities.reduce(
								(factors, each) => factors * (values.get(each) ?? 0),
								coefficient,
							);
						}
						expect(value * (1 + 1e-9)).toBeGreaterThanOrEqual(f(a, b));
					}
				},
			),
			{ numRuns: 500 },
		);
	});

	it("is the function itself where all sizes are numbers", () => {
		expect(applied((a = 0, b = 0) => a * b, [12, 5])).toBe(60);
	});

	it("of what grows evenly is at most three times what it bounds", () => {
		const [text, part] = [quantity(65_536, 65_536), quantity(65_536, 65_536)];
		const evenly = (a = 0, b = 0): number => 60 + 4 * (a + b);
		const bound = applied(evenly, [boundOf(text), boundOf(part)]);
		expect(largest(bound)).toBeLessThan(3 * evenly(65_536, 65_536));
	});
});
