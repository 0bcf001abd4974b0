/** RE2's syntax as a tree. That the trees mean what RE2 means is shown in `engines.test.ts`. */
import { describe, expect, test } from "vitest";
import { compileRe2, Re2Pattern } from "../../../src/cel/pattern/re2.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import type { Node } from "../../../src/cel/pattern/tree.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

/** A tree in one line: sets by their ranges, quantifiers spelled out. */
function shown(node: Node): string {
	switch (node.kind) {
		case "empty":
			return "''";
		case "set":
			return `[${node.set.map((one) => one.toString(16)).join(" ")}]`;
		case "assertion":
			return `<${node.what}>`;
		case "concat":
			return node.parts.map(shown).join(" ");
		case "alternate":
			return `(${node.parts.map(shown).join(" | ")})`;
		case "capture":
			return `#${node.number}(${shown(node.body)})`;
		case "repeat":
			return `(${shown(node.body)}){${node.min}-${node.max}${node.greedy ? "" : " lazy"}}`;
	}
}

const read = (source: string): string | undefined => {
	const tree = parsePattern(source);
	return tree && shown(tree);
};

describe("sequences, choices and groups", () => {
	test.each([
		["", "''"],
		["ab", "[61 61] [62 62]"],
		["a|b|", "([61 61] | [62 62] | '')"],
		["(a)((?:b)c)", "#1([61 61]) #2([62 62] [63 63])"],
		["(?P<n>a)(?<m>b)", "#1([61 61]) #2([62 62])"],
		["\\Qa.\\E", "[61 61] [2e 2e]"],
		["\\Qa|", "[61 61] [7c 7c]"],
		["]}{", "[5d 5d] [7d 7d] [7b 7b]"],
	])("%s", (source, tree) => {
		expect(read(source)).toBe(tree);
	});
});

describe("repetitions", () => {
	test.each([
		["a*", "([61 61]){0-Infinity}"],
		["a+?", "([61 61]){1-Infinity lazy}"],
		["a?", "([61 61]){0-1}"],
		["a{3}", "([61 61]){3-3}"],
		["a{3,}?", "([61 61]){3-Infinity lazy}"],
		["a{0,9}", "([61 61]){0-9}"],
		["(?U)a*b*?", "([61 61]){0-Infinity lazy} ([62 62]){0-Infinity}"],
		["\\Qab\\E+", "[61 61] ([62 62]){1-Infinity}"],
		["a{,3}", "[61 61] [7b 7b] [2c 2c] [33 33] [7d 7d]"],
		["a{01}", "[61 61] [7b 7b] [30 30] [31 31] [7d 7d]"],
	])("%s", (source, tree) => {
		expect(read(source)).toBe(tree);
	});
});

describe("flags and assertions", () => {
	test.each([
		["^$", "<begin-text> <end-text>"],
		["(?m)^$\\A\\z", "<begin-line> <end-line> <begin-text> <end-text>"],
		["(?m:^)^\\b\\B", "<begin-line> <begin-text> <word-boundary> <no-word-boundary>"],
		["(?:(?i)a|a)a", "([41 41 61 61] | [41 41 61 61]) [61 61]"],
		["(?i:a(?-i)a)a", "[41 41 61 61] [61 61] [61 61]"],
		["(?s).(?-s).", "[0 10ffff] [0 9 b 10ffff]"],
	])("%s", (source, tree) => {
		expect(read(source)).toBe(tree);
	});
});

test.each(["\\pL", "[\\p{Greek}a]", "\\PN", "(?i)é", "a(?i)*", "a\\Q\\E*"])(
	"%s is valid, and left to RE2",
	(source) => {
		expect(compileRe2(source)).toBeInstanceOf(Re2Pattern);
		expect(read(source)).toBe(undefined);
	},
);

test("deep nesting is left to RE2", () => {
	const nested = (depth: number) => `${"(?:".repeat(depth)}a${")".repeat(depth)}`;
	expect(read(nested(LIMITS.patternDepth))).toBe("[61 61]");
	expect(read(nested(LIMITS.patternDepth + 1))).toBe(undefined);
});
