/** The lists extension, held against plain models. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { equals } from "../../../src/cel/values/equality.ts";
import { compare } from "../../../src/cel/values/order.ts";
import { Duration, Optional, Timestamp, Uint, type Value } from "../../../src/cel/values/value.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { call, charged } from "./calls.ts";

const SORT = "list<int>.sort() -> list<int>";
const SORT_BY = "list<A>.@sortByAssociatedKeys(list<int>) -> list<A>";
const FLATTEN = "list<list<A>>.flatten() -> list<A>";
const FLATTEN_BY = "list<dyn>.flatten(int) -> list<dyn>";

const position = fc.integer({ min: -1, max: 7 });
const ints = fc.array(fc.bigInt({ min: -5n, max: 5n }), { maxLength: 6 });

test("property: slice, reverse, first and last are those of arrays", () => {
	fc.assert(
		fc.property(ints, position, position, (list, start, end) => {
			const isInside = start >= 0 && start <= end && end <= list.length;
			expect(call("list<A>.slice(int, int) -> list<A>", list, BigInt(start), BigInt(end))).toEqual(
				isInside
					? list.slice(start, end)
					: `failure: slice(${start}, ${end}) is outside of the list's ${list.length} elements`,
			);
			expect(call("list<A>.reverse() -> list<A>", list)).toEqual(list.toReversed());
			const optional = (value: Value | undefined): Optional => new Optional(value);
			expect(call("list<A>.first() -> optional<A>", list)).toEqual(optional(list[0]));
			expect(call("list<A>.last() -> optional<A>", list)).toEqual(optional(list.at(-1)));
		}),
	);
});

const values = {
	bool: fc.boolean(),
	int: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
	uint: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Uint(value)),
	double: fc.double({ noNaN: true }),
	string: fc.string({ unit: fc.constantFrom("a", "b", "\uffff", "😀") }),
	bytes: fc.uint8Array({ maxLength: 3 }),
	timestamp: fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => new Timestamp(a, b)),
	duration: fc.tuple(fc.nat(3), fc.nat(3)).map(([a, b]) => new Duration(a, b)),
};

test.each(Object.entries(values))(
	"property: a list of %s is sorted, and equals keep their order",
	(type, value) => {
		fc.assert(
			fc.property(fc.array<Value>(value, { maxLength: 20 }), (list) => {
				const sorted = call(`list<${type}>.sort() -> list<${type}>`, list);
				if (!Array.isArray(sorted)) throw new Error(String(sorted));
				for (let at = 1; at < sorted.length; at++) {
					expect(compare(sorted[at - 1], sorted[at])).toBeLessThanOrEqual(0);
				}
				expect(new Set(sorted)).toEqual(new Set(list));
				const places = list.map((_, at) => BigInt(at));
				const byKeys = call(
					`list<A>.@sortByAssociatedKeys(list<${type}>) -> list<A>`,
					places,
					list,
				);
				if (!Array.isArray(byKeys)) throw new Error(String(byKeys));
				expect(byKeys.map((at) => list[Number(at)])).toEqual(sorted);
				for (let at = 1; at < byKeys.length; at++) {
					const [left, right] = [sorted[at - 1], sorted[at]];
					if (compare(left, right) === 0) expect(byKeys[at - 1]).toBeLessThan(byKeys[at]);
				}
			}),
		);
	},
);

test.each<[Value[], string]>([
	[[1n, "b"], "int and string cannot be sorted together"],
	[[1n, 1], "int and double cannot be sorted together"],
	[[[1n]], "no matching overload for list < list"],
	[[null, null], "no matching overload for null_type < null_type"],
	[[1, Number.NaN], "NaN cannot be sorted"],
])("%s is not sorted", (list, message) => {
	expect(call(SORT, list)).toBe(`failure: ${message}`);
});

test("keys belong to the elements", () => {
	expect(call(SORT_BY, ["foo", "bar", "baz"], [3n, 1n, 2n])).toEqual(["bar", "baz", "foo"]);
	expect(call(SORT_BY, ["foo"], [])).toBe("failure: 1 elements cannot be sorted by 0 keys");
});

const flat = (list: readonly Value[], depth: number): Value[] =>
	list.flatMap((each) => (depth > 0 && Array.isArray(each) ? flat(each, depth - 1) : [each]));

test("property: flatten takes away as many levels as it is told", () => {
	const nested = fc.letrec<{ list: Value[] }>((tie) => ({
		list: fc.array<Value>(fc.oneof({ maxDepth: 4 }, fc.constantFrom<Value>(1n, "a"), tie("list")), {
			maxLength: 4,
		}),
	})).list;
	fc.assert(
		fc.property(nested, fc.nat(5), (list, depth) => {
			expect(call(FLATTEN_BY, list, BigInt(depth))).toEqual(flat(list, depth));
			expect(call(FLATTEN, list)).toEqual(flat(list, 1));
		}),
	);
	expect(call(FLATTEN_BY, [], -1n)).toBe("failure: flatten: the depth -1 is negative");
});

test("a list that would become too long is refused while it is made", () => {
	let list: Value[] = [1n, 2n];
	for (let depth = 0; depth < 40; depth++) list = [list, list];
	expect(call(FLATTEN_BY, list, 50n)).toContain("failure: flatten: the list would have more than");
	expect(charged(() => call(FLATTEN_BY, list, 50n))).toBeLessThan(100 * LIMITS.flatListElements);
});

test("property: distinct keeps the first of equal elements", () => {
	const element = fc.constantFrom<Value>(1n, 1, new Uint(1n), "a", [1n], [1], Number.NaN, null);
	fc.assert(
		fc.property(fc.array(element), (list) => {
			const first = list.filter(
				(each, at) => !list.slice(0, at).some((other) => equals(other, each)),
			);
			expect(call("list<A>.distinct() -> list<A>", list)).toEqual(first);
		}),
	);
});

test("a range counts from 0, up to a bound", () => {
	const range = (end: bigint): Value => call("lists.range(int) -> list<int>", end);
	expect(range(0n)).toEqual([]);
	expect(range(3n)).toEqual([0n, 1n, 2n]);
	expect(range(BigInt(LIMITS.rangeElements))).toHaveLength(LIMITS.rangeElements);
	expect(range(-1n)).toContain("failure: lists.range(-1)");
	expect(range(2n ** 62n)).toContain("failure: lists.range(");
});

test("nothing is changed in place", () => {
	const list = Object.freeze([3n, 1n, 2n]);
	expect(call(SORT, list)).toEqual([1n, 2n, 3n]);
	expect(call("list<A>.reverse() -> list<A>", list)).toEqual([2n, 1n, 3n]);
	expect(list).toEqual([3n, 1n, 2n]);
});
