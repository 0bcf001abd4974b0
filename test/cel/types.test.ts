/** Names and comparisons of types. */
import { expect, test } from "vitest";
import {
	DYN,
	INT,
	listOf,
	mapOf,
	newVariable,
	resolve,
	STRING,
	substitute,
	typeName,
} from "../../src/cel/types.ts";

test("types are named as people write them", () => {
	expect(typeName(mapOf(STRING, listOf(INT)))).toBe("map<string, list<int>>");
	expect(typeName(newVariable())).toBe("dyn");
});

test("variables stand for what they are bound to, and for anything if they are not", () => {
	const inner = newVariable();
	const outer = newVariable();
	outer.bound = inner;
	expect(resolve(outer)).toBe(inner);
	inner.bound = INT;
	expect(resolve(outer)).toBe(INT);
	expect(substitute(mapOf(outer, listOf(newVariable())))).toEqual(mapOf(INT, listOf(DYN)));
});
