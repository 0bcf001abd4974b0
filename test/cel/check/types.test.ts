/** Names and comparisons of types. */
import { expect, test } from "vitest";
import {
	DYN,
	INT,
	listOf,
	mapOf,
	newVariable,
	optionalOf,
	resolve,
	STRING,
	sameType,
	substitute,
	typeName,
} from "../../../src/cel/check/types.ts";

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

test("a type that does not end is walked to a bound", () => {
	const endless = newVariable();
	endless.bound = listOf(endless);
	const other = newVariable();
	other.bound = listOf(other);
	expect(typeName(endless)).toContain("list<list<");
	expect(typeName(substitute(endless))).toBe(typeName(endless));
	expect(sameType(endless, other)).toBe(true);
});

test("a type without variables is not copied", () => {
	const known = mapOf(STRING, optionalOf(listOf(INT)));
	expect(substitute(known)).toBe(known);
	expect(typeName(known)).toBe("map<string, optional<list<int>>>");
});

test("types are the same by what they are made of", () => {
	expect(sameType(listOf(INT), listOf(INT))).toBe(true);
	expect(sameType(listOf(INT), optionalOf(INT))).toBe(false);
	expect(sameType(mapOf(STRING, INT), mapOf(STRING, DYN))).toBe(false);
	expect(sameType(newVariable(), newVariable())).toBe(false);
});
