/** What a text must go on with where a node begins. */
import { expect, test } from "vitest";
import { type Ahead, aheadOf, collide, joined } from "../../../src/cel/pattern/ahead.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";

const Z: Ahead = { set: [0x7a, 0x7a], end: false };
const END: Ahead = { set: [], end: true };

const ahead = (source: string, rest: Ahead): [string, boolean] => {
	const tree = parsePattern(source);
	if (tree === undefined) throw new Error(`${source} is not read`);
	const { set, end } = aheadOf(tree, rest);
	return [String.fromCharCode(...set), end];
};

test.each([
	["", "zz", false],
	["a", "aa", false],
	["a?", "aazz", false],
	["a|c", "aacc", false],
	["(a*)(?:c|)", "aacczz", false],
	["(?:ab?)+", "aa", false],
	["a{0}", "zz", false],
	["\\bx", "xx", false],
	["^", "zz", false],
	["$", "", false],
	["(?m)$", "\n\n", false],
	["a*$", "aa", false],
])("%s before a z", (source, set, end) => {
	expect(ahead(source, Z)).toEqual([set, end]);
});

test.each([
	["a*", "aa", true],
	["a+", "aa", false],
	["a*$", "aa", true],
	["(?m)$", "\n\n", true],
])("%s before the end", (source, set, end) => {
	expect(ahead(source, END)).toEqual([set, end]);
});

test("they collide if one text can go on with either", () => {
	expect(collide(Z, END)).toBe(false);
	expect(collide(Z, joined(END, Z))).toBe(true);
	expect(collide(END, joined(END, Z))).toBe(true);
});
