/** Sets of code points, held against sets of numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	ALL,
	type CodePoints,
	codePoints,
	complement,
	intersection,
	LAST_CODE_POINT,
	NONE,
	overlaps,
	union,
} from "../../../src/cel/pattern/code-points.ts";

/** small numbers, so that ranges meet */
const sets = fc
	.array(fc.tuple(fc.nat(40), fc.nat(5)), { maxLength: 6 })
	.map((ranges) => codePoints(ranges.flatMap(([first, count]) => [first, first + count])));

const members = (set: CodePoints, most = 50): Set<number> => {
	const found = new Set<number>();
	for (let index = 0; index < set.length; index += 2) {
		for (let one = set[index] ?? 0; one <= Math.min(set[index + 1] ?? 0, most); one++)
			found.add(one);
	}
	return found;
};
const upTo50 = Array.from({ length: 51 }, (_, one) => one);

test("property: sorted, apart from each other, and what they are made from", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.nat(40), fc.nat(5))), (ranges) => {
			const set = codePoints(ranges.flatMap(([first, count]) => [first, first + count]));
			for (let index = 2; index < set.length; index += 2) {
				expect(set[index]).toBeGreaterThan((set[index - 1] ?? 0) + 1);
			}
			const expected = ranges.flatMap(([first, count]) =>
				Array.from({ length: count + 1 }, (_, one) => first + one),
			);
			expect(members(set)).toEqual(new Set(expected));
		}),
	);
});

test("property: union, intersection, complement and overlap are those of sets", () => {
	fc.assert(
		fc.property(sets, sets, (one, other) => {
			const [left, right] = [members(one), members(other)];
			const holds = (is: (value: number) => boolean) => new Set(upTo50.filter(is));
			expect(members(union(one, other))).toEqual(holds((v) => left.has(v) || right.has(v)));
			const both = holds((v) => left.has(v) && right.has(v));
			expect(members(intersection(one, other))).toEqual(both);
			expect(overlaps(one, other)).toBe(both.size > 0);
			expect(members(complement(one))).toEqual(holds((v) => !left.has(v)));
		}),
	);
});

test("the complement reaches to the last code point", () => {
	expect(complement(NONE)).toEqual(ALL);
	expect(complement(ALL)).toEqual(NONE);
	expect(complement([5, LAST_CODE_POINT])).toEqual([0, 4]);
});
