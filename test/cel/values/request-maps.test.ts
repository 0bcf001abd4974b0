/** Header lines as a map: names in any case, lists for every name, nothing read before it is asked for. */
import { expect, test } from "vitest";
import {
	headerMap,
	listHeader,
	NO_HEADERS,
	parsedMap,
} from "../../../src/cel/values/request-maps.ts";
import { headerLines } from "../attributes.ts";

const LINES = headerLines([
	["accept", "a"],
	["x-b", "1"],
	["accept", "b, C"],
	["x-empty", ""],
]);

test("names are found in any case, values in order, a missing name is empty", () => {
	const map = headerMap(LINES);
	expect(map.get("ACCEPT")).toEqual(["a", "b, C"]);
	expect(map.get("X-Empty")).toEqual([""]);
	expect([
		map.has("X-B"),
		map.has("x-b"),
		map.has("nope"),
		map.has("x-empty"),
		map.has(1n),
	]).toEqual([true, true, false, true, false]);
	expect(map.get(1n)).toBeUndefined();
});

test("lines are handed on without a copy, a missing name has one frozen list", () => {
	const lines = ["a"];
	const map = headerMap({ lines: (name) => (name === "a" ? lines : []), names: () => ["a"] });
	expect(map.get("a")).toBe(lines);
	expect(map.get("b")).toEqual([]);
	expect(map.get("b")).toBe(map.get("c"));
	expect(map.get("b")).toBe(NO_HEADERS.get("c"));
	expect(Object.isFrozen(map.get("b"))).toBe(true);
});

test("what is no name of a header is not asked for: letters beyond ASCII, and what is longer than any", () => {
	const asked: string[] = [];
	const map = headerMap({
		lines: (name) => {
			asked.push(name);
			return [];
		},
		names: () => ["x".repeat(70)],
	});
	const names = ["a-z_0", "A-Z@[", "É", "\u212a", "A\u212a", "X".repeat(70), "x".repeat(71)];
	for (const name of names) {
		expect(map.get(name)).toEqual([]);
		expect(map.has(name)).toBe(false);
	}
	expect(new Set(asked)).toEqual(new Set(["a-z_0", "a-z@[", "x".repeat(70)]));
});

test("it is counted and walked over distinct names", () => {
	const map = headerMap(LINES);
	expect(map.size).toBe(3);
	expect(map.keys()).toEqual(["accept", "x-b", "x-empty"]);
	expect([NO_HEADERS.size, NO_HEADERS.keys()]).toEqual([0, []]);
});

test("a parsed map is made once, when the first name is read", () => {
	let made = 0;
	const map = parsedMap(() => {
		made++;
		return new Map([["a", ["1"]]]);
	});
	expect(made).toBe(0);
	expect([map.has("a"), map.has("A"), map.has(1n), map.size]).toEqual([true, false, false, 1]);
	expect([map.get("a"), map.get("A"), map.get(1n), map.keys()]).toEqual([
		["1"],
		[],
		undefined,
		["a"],
	]);
	expect(made).toBe(1);
});

test("elements of a list header over all lines, in lower case", () => {
	expect(listHeader(LINES, "accept")).toEqual(["a", "b", "c"]);
	expect(listHeader(LINES, "x-empty")).toEqual([]);
	expect(listHeader(LINES, "missing")).toEqual([]);
});
