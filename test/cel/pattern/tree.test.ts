/** What is asked of a pattern's nodes. */
import { expect, test } from "vitest";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import {
	concat,
	EMPTY,
	isNullable,
	type Node,
	shortest,
	some,
} from "../../../src/cel/pattern/tree.ts";

const tree = (source: string): Node => {
	const parsed = parsePattern(source);
	if (parsed === undefined) throw new Error(`${source} is not read`);
	return parsed;
};

test.each([
	["", 0],
	["abc", 3],
	["a|bc", 1],
	["(ab){3}c?", 6],
	["a*|b", 0],
	["^\\b$", 0],
	["😀", 2],
	["[a😀]", 1],
	["(?:a{0}b){2,}", 2],
])("%s matches %i units at least", (source, units) => {
	expect(shortest(tree(source))).toBe(units);
	expect(isNullable(tree(source))).toBe(units === 0);
});

test("sequences within sequences are one", () => {
	const [a, b] = [tree("a"), tree("b")];
	expect(concat([a, concat([b, a])])).toEqual({ kind: "concat", parts: [a, b, a] });
	expect(concat([])).toBe(EMPTY);
	expect(concat([a])).toBe(a);
});

test("some node is found however deep it is", () => {
	const isBoundary = (node: Node) => node.kind === "assertion" && node.what === "word-boundary";
	expect(some(tree("a|(b(?:c\\b)*)"), isBoundary)).toBe(true);
	expect(some(tree("a|(b(?:c\\z)*)"), isBoundary)).toBe(false);
});
