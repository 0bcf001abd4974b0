import fc from "fast-check";
import { expect, test } from "vitest";
import { mapFromStrings } from "../../../../src/cel/values/entry-map.ts";
import { Timestamp, Uint, type Value } from "../../../../src/cel/values/value.ts";
import { mayBeKey, typedPart } from "../../../../src/policy/actions/rate-limit/typed-part.ts";

test("tells values of different types and places apart", () => {
	const map = (entries: [string, Value][]) => mapFromStrings(new Map(entries));
	const values: Value[] = [
		"1",
		1n,
		1,
		new Uint(1n),
		true,
		false,
		"t",
		"",
		[],
		[""],
		["", ""],
		["ab"],
		["a", "b"],
		[["a"], "b"],
		[["a", "b"]],
		map([]),
		map([["a", 1n]]),
		map([["a", "1"]]),
		map([
			["a", 1n],
			["b", 1n],
		]),
		["a", 1n],
	];
	const parts = values.map(typedPart);
	expect(new Set(parts).size).toBe(values.length);
});

test("equal values have the same, whatever the order of a map's entries", () => {
	const one = mapFromStrings(
		new Map<string, Value>([
			["a", 1n],
			["b", ["x"]],
		]),
	);
	const other = mapFromStrings(
		new Map<string, Value>([
			["b", ["x"]],
			["a", 1n],
		]),
	);
	expect(typedPart(one)).toBe(typedPart(other));
	expect(typedPart(0)).toBe(typedPart(-0));
});

test("lists of texts have the same exactly if they are equal", () => {
	const texts = fc.array(fc.string({ maxLength: 3, unit: fc.constantFrom("1", ":", "s", "l") }));
	fc.assert(
		fc.property(texts, texts, (one, other) => {
			const same = JSON.stringify(one) === JSON.stringify(other);
			expect(typedPart(one) === typedPart(other)).toBe(same);
		}),
	);
});

test("what can't be part of a key is told", () => {
	for (const value of [null, new Uint8Array(1), new Timestamp(0, 0), ["a", null]]) {
		expect(typedPart(value)).toBeUndefined();
	}
	expect(
		["int", "list<string>", "map<string, dyn>", "list<map<bool, list<uint>>>"].filter(mayBeKey),
	).toHaveLength(4);
	expect(
		["bytes", "list<bytes>", "null_type", "optional_type<int>", "timestamp", "cookie"].filter(
			mayBeKey,
		),
	).toEqual([]);
});
