/** Sizes of nested values: what is taken out of them, run over and made again is never larger than they say. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largest } from "../../../src/cel/cost/bound.ts";
import {
	collectedSize,
	eitherSize,
	oneOf,
	SCALAR,
	type Size,
	sized,
	someOf,
	text,
	texts,
	together,
	tree,
	turnOf,
	weight,
} from "../../../src/cel/cost/size.ts";

type Nested = string | readonly Nested[];

const lists: fc.Arbitrary<readonly (readonly string[])[]> = fc.array(
	fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
	{ maxLength: 4 },
);

/** The size of values that stand beside each other, exactly. */
function sizeOf(values: readonly Nested[], levels: number): Size {
	const counts = values.map(({ length }) => length);
	const inside = values.flatMap((value) => (typeof value === "string" ? [] : value));
	return {
		each: Math.max(0, ...counts),
		all: counts.reduce((a, b) => a + b, 0),
		element: levels > 0 ? sizeOf(inside, levels - 1) : undefined,
	};
}

/** Is one at least as large as the other, on all levels? */
function covers(size: Size | undefined, other: Size | undefined): boolean {
	if (other === undefined) return true;
	if (size === undefined) return false;
	if (size.isTree) return largest(size.all) >= largest(weight(other));
	return (
		largest(size.each) >= largest(other.each) &&
		largest(size.all) >= largest(other.all) &&
		covers(size.element, other.element)
	);
}

describe("sizes", () => {
	it("of a list made again element by element are the same, not more", () => {
		fc.assert(
			fc.property(lists, fc.boolean(), (list, isFollowed) => {
				const size = sizeOf([list], 2);
				const turn = turnOf(size, isFollowed);
				const again = sized(turn.turns, collectedSize(oneOf(turn.element), turn));
				expect(covers(again, size)).toBe(true);
				if (isFollowed) expect(largest(weight(again))).toBeLessThanOrEqual(largest(weight(size)));
			}),
		);
	});

	it("of two lists put together cover both and no more than both", () => {
		fc.assert(
			fc.property(lists, lists, (a, b) => {
				const both = together(sizeOf([a], 2), sizeOf([b], 2));
				expect(both).toEqual({
					...sizeOf([[...a, ...b]], 2),
					key: undefined,
					element: both.element,
				});
				expect(covers(both, sizeOf([[...a, ...b]], 2))).toBe(true);
			}),
		);
	});

	it("of one or the other cover each", () => {
		fc.assert(
			fc.property(lists, lists, (a, b) => {
				const size = eitherSize(sizeOf([a], 2), sizeOf([b], 2));
				expect(covers(size, sizeOf([a], 2)) && covers(size, sizeOf([b], 2))).toBe(true);
				const unknown = eitherSize(size, tree(1, 1));
				expect(covers(unknown, sizeOf([a], 2)) && covers(unknown, sizeOf([b], 2))).toBe(true);
			}),
		);
	});

	it("of some elements of a list cover each choice of so many, and are no more than the list", () => {
		fc.assert(
			fc.property(lists, fc.nat({ max: 5 }), fc.nat({ max: 5 }), (list, start, most) => {
				const whole = sizeOf([list], 2);
				const size = someOf(whole, most);
				expect(covers(size, sizeOf([list.slice(start, start + most)], 2))).toBe(true);
				expect(largest(weight(size))).toBeLessThanOrEqual(largest(weight(whole)));
				expect(largest(size.all)).toBeLessThanOrEqual(most);
			}),
		);
		const decoded = sized(9, tree(50, 100));
		expect(largest(weight(someOf(decoded, 1)))).toBe(51);
		expect(someOf(tree(50, 50), 1)).toEqual(tree(50, 50));
	});

	it("of an element are those of the largest", () => {
		expect(oneOf(texts(5, 50))).toEqual({ ...text(5), element: undefined, key: undefined });
		expect(oneOf(undefined)).toEqual(SCALAR);
	});

	it("of decoded JSON have no end, and are no larger inside than as a whole", () => {
		let size: Size | undefined = tree(100, 100);
		for (let level = 0; level < 50; level++) size = oneOf(size?.element);
		expect(largest(weight(size))).toBe(100);
		const turn = turnOf(tree(100, 100), true);
		expect(largest(weight(collectedSize(oneOf(turn.element), turn)))).toBe(100);
	});
});
