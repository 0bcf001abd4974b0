/** Header lines as a map: names in any case, lists for every name, nothing read before it is asked for. */
import { expect, test } from "vitest";
import { headerMap, lazyListMap, listHeader } from "../../src/cel/header-map.ts";
import { headerLines } from "./attributes.ts";
import { described } from "./values.ts";

const LINES = headerLines([
	["accept", "a"],
	["x-b", "1"],
	["accept", "b, C"],
	["x-empty", ""],
]);

test("names are found in any case, values in order, a missing name is empty", () => {
	const map = headerMap(LINES);
	expect(described(map.get("ACCEPT"))).toBe('[string "a", string "b, C"]');
	expect(described(map.get("nope"))).toBe("[]");
	expect(described(map.get("X-Empty"))).toBe('[string ""]');
	expect([map.has("X-B"), map.has("nope"), map.has("x-empty"), map.has(1n)]).toEqual([
		true,
		false,
		true,
		false,
	]);
	expect(map.get(1n)).toBeUndefined();
});

test("it is counted and walked over distinct names", () => {
	const map = headerMap(LINES);
	expect(map.size).toBe(3);
	expect([...map.keys()]).toEqual(["accept", "x-b", "x-empty"]);
	expect([...map].map(([name]) => name)).toEqual([...map.keys()]);
	expect([...map.values()].map(described)).toEqual([...map].map(([, value]) => described(value)));
});

test("a lazy map is made once, when the first name is read", () => {
	let made = 0;
	const map = lazyListMap(() => {
		made++;
		return new Map([["a", ["1"]]]);
	});
	expect(made).toBe(0);
	expect([map.has("a"), map.has("A"), map.size]).toEqual([true, false, 1]);
	expect(made).toBe(1);
});

test("elements of a list header over all lines, in lower case", () => {
	expect(listHeader(LINES, "accept")).toEqual(["a", "b", "c"]);
	expect(listHeader(LINES, "x-empty")).toEqual([]);
});
