/** Bytes of values: texts count as UTF-8, lists and maps with all that they hold, and looking stops early. */
import { expect, test } from "vitest";
import { mapFromStrings } from "../../../src/cel/values/entry-map.ts";
import { Optional, type Value } from "../../../src/cel/values/value.ts";
import { bytesOf } from "../../../src/cel/values/weight.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

test.each<[string, Value, number]>([
	["a text", "grün", 5],
	["bytes", new Uint8Array(7), 7],
	["an int", 5n, 8],
	["nothing", null, 8],
	["a list", ["abc", 1n], 19],
	["a map", mapFromStrings(new Map([["k", "value"]])), 22],
	["an optional", new Optional("abc"), 3],
])("%s", (_, value, bytes) => {
	expect(bytesOf(value, 1000)).toBe(bytes);
});

test("is more than the bound for what exceeds it, however much it is", () => {
	const long: Value = Array.from({ length: 1_000_000 }, () => "x");
	expect(bytesOf(long, 100)).toBeGreaterThan(100);
	const wide = mapFromStrings(new Map(Array.from({ length: 1000 }, (_, at) => [`${at}`, null])));
	expect(bytesOf(wide, 100)).toBeGreaterThan(100);
	let deep: Value = "x";
	for (let level = 0; level < LIMITS.jsonDepth + 2; level++) deep = [deep];
	expect(bytesOf(deep, 1_000_000)).toBeGreaterThan(1_000_000);
});
