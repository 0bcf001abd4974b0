/** Where a node is tried in vain: what always matches, how often it matches nothing, and what that costs. */
import { expect, test } from "vitest";
import { alwaysMatches, emptyWays, stepsToFail } from "../../../src/cel/pattern/first-steps.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import type { Node } from "../../../src/cel/pattern/tree.ts";
import { CountedSearch } from "./counted-search.ts";

const tree = (source: string): Node => {
	const parsed = parsePattern(source);
	if (parsed === undefined) throw new Error(`${source} is not read`);
	return parsed;
};

test.each([
	["", true, 1],
	["a*", true, 1],
	["(a|b*)", true, 1],
	["(?:a?){3}", true, 1],
	["a?b", false, 0],
	["a|b", false, 0],
	["^", false, 1],
	["(?:|a)(?:|b)c*", true, 1],
	["a?|b?", true, 2],
	["(?:a{0}){2}", true, 1],
])("%s always matches: %s; with nothing in %i ways at least", (source, always, ways) => {
	expect(alwaysMatches(tree(source))).toBe(always);
	expect(emptyWays(tree(source))).toBeGreaterThanOrEqual(ways);
});

test("what can't match nothing has no way to", () => {
	for (const source of ["a", "a+", "(?:a?b)", "[ab]{2}"]) {
		expect(emptyWays(tree(source)), source).toBe(0);
	}
});

test.each([
	"a",
	"ab",
	"a|b|c",
	"a*",
	"(a?|b?)c",
	"(?:a*|b){2}",
	"a{3,9}",
	"(?:(a)|b?)*c",
	"\\b",
	"",
])("%s takes no more steps on a character that doesn't fit", (source) => {
	// behind it comes what never matches, so that all ways are tried
	const never = tree("[^\\x00-\\x{10ffff}]");
	const search = new CountedSearch({ kind: "concat", parts: [tree(source), never] }, "", 1000);
	search.find(0);
	const ways = emptyWays(tree(source));
	expect(search.steps).toBeLessThanOrEqual(stepsToFail(tree(source)) + ways);
});
