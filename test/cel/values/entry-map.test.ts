/** Maps find a number by any number that equals it, and keep keys as they were put in. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	EntryMap,
	entryMap,
	keyText,
	MapBuilder,
	mapFromStrings,
} from "../../../src/cel/values/entry-map.ts";
import { equals } from "../../../src/cel/values/equality.ts";
import { Uint, type Value } from "../../../src/cel/values/value.ts";
import { described, KEYS, outcome, SCALARS } from "./samples.ts";

test("property: a map is a list of entries whose keys are found by equality", () => {
	const sought = fc.oneof(KEYS, SCALARS);
	fc.assert(
		fc.property(fc.array(KEYS, { maxLength: 6 }), sought, (keys, key) => {
			const repeated = keys.some((each, at) =>
				keys.slice(0, at).some((other) => equals(each, other)),
			);
			const made = outcome(() => entryMap(keys.map((each, at) => [each, at])));
			expect(made === "failure").toBe(repeated);
			if (repeated) return;
			const map = entryMap(keys.map((each, at) => [each, BigInt(at)]));
			expect(map.size).toBe(keys.length);
			expect(map.keys().map(described)).toEqual(keys.map(described));
			for (const each of [key, ...keys]) {
				const at = keys.findIndex((other) => equals(each, other));
				expect(map.get(each)).toBe(at < 0 ? undefined : BigInt(at));
				expect(map.has(each)).toBe(at >= 0);
			}
		}),
		{ numRuns: 2000 },
	);
});

test.each<[Value, readonly Value[]]>([
	[1n, [new Uint(1n), 1]],
	[new Uint(0n), [0n, 0, -0]],
	[2n ** 53n, [2 ** 53, new Uint(2n ** 53n)]],
	[-(2n ** 63n), [-(2 ** 63)]],
])("%s is found by what equals it", (key, others) => {
	const map = entryMap([[key, "found"]]);
	for (const other of others) {
		expect(map.get(other)).toBe("found");
		expect(
			outcome(() =>
				entryMap([
					[key, 1n],
					[other, 2n],
				]),
			),
		).toBe("failure");
	}
	expect(map.get(String(key))).toBeUndefined();
	expect(map.get(2n ** 53n + 1n)).toBeUndefined();
	expect(map.get(0.5)).toBeUndefined();
	expect(map.get(Number.NaN)).toBeUndefined();
});

test.each<[Value, string]>([
	[1.5, "a double cannot be the key of a map"],
	[1, "a double cannot be the key of a map"],
	[null, "a null_type cannot be the key of a map"],
	[[1n], "a list cannot be the key of a map"],
])("%s is no key", (key, message) => {
	expect(() => entryMap([[key, 1n]])).toThrow(expect.objectContaining({ message }));
	expect(entryMap([]).has(key)).toBe(false);
});

test("a value may be null, and names of JavaScript's own are names like others", () => {
	const map = entryMap([
		["a", null],
		["__proto__", 1n],
	]);
	expect([map.get("a"), map.has("a"), map.get("__proto__"), map.get("constructor")]).toEqual([
		null,
		true,
		1n,
		undefined,
	]);
});

test("the builder refuses a repeated key and says which", () => {
	const builder = new MapBuilder();
	builder.put("a", 1n);
	builder.put(1n, 2n);
	expect(() => builder.put("a", 3n)).toThrow(
		expect.objectContaining({ message: 'repeated key: "a"' }),
	);
	expect(() => builder.put(new Uint(1n), 3n)).toThrow(
		expect.objectContaining({ message: "repeated key: 1u" }),
	);
	expect(builder.build().keys()).toEqual(["a", 1n]);
});

test("a map from strings shares what it is made of", () => {
	const map = mapFromStrings(
		new Map<string, Value>([
			["b", 1n],
			["a", 2n],
		]),
	);
	expect(map).toBeInstanceOf(EntryMap);
	expect([map.size, map.keys(), map.get("a"), map.get(2n)]).toEqual([2, ["b", "a"], 2n, undefined]);
});

test("keys in messages are short", () => {
	expect(keyText("x".repeat(1000)).length).toBeLessThan(110);
	expect([keyText(true), keyText(1n), keyText(1.5), keyText(null), keyText([])]).toEqual([
		"true",
		"1",
		"1.5",
		"a null_type",
		"a list",
	]);
});
