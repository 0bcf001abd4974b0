/** A tree becomes an automaton of about as many instructions as it has characters, repetitions written out. */
import { expect, test } from "vitest";
import { nfaOf } from "../../../src/cel/pattern/nfa.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

const size = (source: string): number | undefined => {
	const tree = parsePattern(source);
	if (tree === undefined) throw new Error("not read");
	return nfaOf(tree)?.size;
};

test.each([
	["", 1],
	["abc", 4],
	["a|b", 4],
	["a*", 3],
	["a+", 4],
	["a?", 3],
	["(?:ab){3}", 7],
	["a{2,4}", 7],
	["^a$", 4],
])("%s has %i instructions", (source, instructions) => {
	expect(size(source)).toBe(instructions);
});

test("one that would be too large is none", () => {
	expect(size(`(?:a{100}){${LIMITS.automatonInstructions / 100 - 1}}`)).toBeDefined();
	expect(size(`(?:a{100}){${LIMITS.automatonInstructions / 100 + 1}}`)).toBe(undefined);
});
