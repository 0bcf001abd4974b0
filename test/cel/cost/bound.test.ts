/** Bounds stay above what they bound, through every operation and out of every loop. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type Bound,
	boundOf,
	either,
	forLargest,
	isConstant,
	largest,
	product,
	type Quantity,
	quantity,
	scaled,
	smaller,
	sum,
	summedUp,
} from "../../../src/cel/cost/bound.ts";

type Values = ReadonlyMap<Quantity, number>;

function evaluated(bound: Bound, values: Values): number {
	if (isConstant(bound)) return bound;
	let value = bound.constant;
	for (const { coefficient, quantities } of bound.terms) {
		value += quantities.reduce((factors, each) => factors * (values.get(each) ?? 0), coefficient);
	}
	return value;
}

/** A loop over elements, each of two sizes. */
interface Loop {
	readonly elements: readonly (readonly [number, number])[];
	readonly quantities: readonly [Quantity, Quantity];
}
const loops: fc.Arbitrary<Loop> = fc
	.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 5 })
	.map((elements) => {
		const sizes = (at: 0 | 1): Quantity => {
			const all = elements.map((element) => element[at]);
			return quantity(
				Math.max(...all),
				all.reduce((a, b) => a + b, 0),
			);
		};
		return { elements, quantities: [sizes(0), sizes(1)] };
	});

/** Something that grows with the two sizes, and its bound. */
interface Growing {
	readonly bound: (quantities: readonly [Quantity, Quantity]) => Bound;
	readonly truth: (sizes: readonly [number, number]) => number;
}
const growing: fc.Arbitrary<Growing> = fc.letrec<{ any: Growing }>((tie) => {
	const pair = fc.tuple(tie("any"), tie("any"));
	return {
		any: fc.oneof(
			{ depthSize: "small", withCrossShrink: true },
			fc.nat(5).map((value): Growing => ({ bound: () => value, truth: () => value })),
			fc.constantFrom(0 as const, 1 as const).map(
				(at): Growing => ({
					bound: (quantities) => boundOf(quantities[at]),
					truth: (sizes) => sizes[at],
				}),
			),
			pair.map(
				([a, b]): Growing => ({
					bound: (of) => sum(a.bound(of), b.bound(of)),
					truth: (of) => a.truth(of) + b.truth(of),
				}),
			),
			pair.map(
				([a, b]): Growing => ({
					bound: (of) => product(a.bound(of), b.bound(of)),
					truth: (of) => a.truth(of) * b.truth(of),
				}),
			),
			pair.map(
				([a, b]): Growing => ({
					bound: (of) => either(a.bound(of), b.bound(of)),
					truth: (of) => Math.max(a.truth(of), b.truth(of)),
				}),
			),
			fc.tuple(tie("any"), fc.nat(4)).map(
				([a, factor]): Growing => ({
					bound: (of) => scaled(a.bound(of), factor),
					truth: (of) => a.truth(of) * factor,
				}),
			),
		),
	};
}).any;

describe("a bound", () => {
	it("is never below what it bounds", () => {
		fc.assert(
			fc.property(loops, growing, ({ elements, quantities }, { bound, truth }) => {
				const made = bound(quantities);
				for (const element of elements) {
					const values = new Map(quantities.map((each, at) => [each, element[at] ?? 0]));
					expect(evaluated(made, values)).toBeGreaterThanOrEqual(truth(element));
				}
			}),
		);
	});

	it("that has left its loop is never below the largest, nor below all together", () => {
		fc.assert(
			fc.property(loops, growing, ({ elements, quantities }, { bound, truth }) => {
				const inner = new Set(quantities);
				const truths = elements.map(truth);
				const most = forLargest(bound(quantities), inner);
				const all = summedUp(bound(quantities), inner, elements.length);
				expect(largest(most)).toBeGreaterThanOrEqual(Math.max(...truths));
				expect(largest(all)).toBeGreaterThanOrEqual(truths.reduce((a, b) => a + b, 0));
				expect(isConstant(most) && isConstant(all)).toBe(true);
			}),
		);
	});

	it("of a loop within a loop is never below the sum of sums", () => {
		fc.assert(
			fc.property(loops, loops, growing, growing, (outer, inner, one, other) => {
				const body = product(one.bound(outer.quantities), other.bound(inner.quantities));
				const innerSum = summedUp(body, new Set(inner.quantities), inner.elements.length);
				const whole = summedUp(innerSum, new Set(outer.quantities), outer.elements.length);
				let truth = 0;
				for (const a of outer.elements) {
					for (const b of inner.elements) truth += one.truth(a) * other.truth(b);
				}
				expect(largest(whole)).toBeGreaterThanOrEqual(truth);
			}),
		);
	});

	it("sums up what is linear exactly, and not as if all elements were the largest", () => {
		const size = quantity(65_536, 65_536);
		const body = sum(10, scaled(boundOf(size), 2));
		expect(summedUp(body, new Set([size]), 100)).toBe(100 * 10 + 2 * 65_536);
	});

	it("is a number beyond some terms, and finite whatever is multiplied", () => {
		const many = Array.from({ length: 50 }, () => boundOf(quantity(2, 2)));
		expect(sum(...many)).toBe(100);
		let huge: Bound = 1e30;
		for (let time = 0; time < 20; time++) huge = product(huge, huge);
		expect(Number.isFinite(largest(huge))).toBe(true);
		expect(largest(product(huge, 0))).toBe(0);
	});

	it("of two is the one that shrinks when the loop is left, unless the other is far smaller", () => {
		const size = quantity(1000, 1000);
		expect(smaller(500, boundOf(size))).toEqual(boundOf(size));
		expect(smaller(10, boundOf(size))).toBe(10);
		expect(smaller(3, 2)).toBe(2);
	});
});
