/** The cost of a search: more for more text, and for what RE2 must do. Measured by `bench/patterns.mjs`. */
import { describe, expect, test } from "vitest";
import { matchCost, re2FindCost, searchCharge } from "../../../src/cel/pattern/cost.ts";
import { openPattern } from "../../../src/cel/pattern/engines.ts";
import { isPatternFault, preparePattern } from "../../../src/cel/pattern/prepare.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

const cost = (source: string, characters: number): number => {
	const program = preparePattern(source);
	if (isPatternFault(program)) throw new Error(program.message);
	return matchCost(program, characters);
};

const LENGTHS = [0, 1, 2, 3, 63, 64, 65, 200, 1000, 8192, 65_536, 1_048_576];

test.each(["a", "(bot|crawler)", "foo.*bar", "^(a+)+$", "\\p{L}+x", "[ab]*a[ab]{100}c"])(
	"that of %s is a number that grows with the text",
	(source) => {
		const costs = LENGTHS.map((length) => cost(source, length));
		expect(costs.every((one) => Number.isFinite(one) && one > 0)).toBe(true);
		expect(costs.toSorted((one, other) => one - other)).toEqual(costs);
	},
);

test("an ordinary pattern on an ordinary header costs some microseconds, a heavy one on a long text seconds", () => {
	expect(cost("(?i)(gptbot|chatgpt-user)/", 100)).toBeLessThan(10_000);
	expect(cost("[ab]*a[ab]{900}c", 65_536)).toBeGreaterThan(5e8);
});

test("a search is charged with its cost, or with the part that is known before it begins", () => {
	for (const source of ["a", "(?i)union\\s+select", "[ab]*a[ab]{100}c", "\\p{L}+x"]) {
		const program = preparePattern(source);
		if (isPatternFault(program)) throw new Error(program.message);
		for (const length of LENGTHS) {
			const charged = searchCharge(program, length);
			const most = matchCost(program, length);
			expect(charged).toBeLessThanOrEqual(most);
			// what an automaton has to make is charged as it is made, and harmless searches with a part
			if (most > 5_000_000 && program.automaton === undefined) expect(charged).toBe(most);
		}
	}
});

test.each([
	"(?i)union\\s+select",
	"[A-Za-z0-9+/]{200,}={0,2}",
	"(?i)on(load|error|click)\\s*=",
	"(?i)select.*from.*where",
	"(?i)\\b(or|and)\\b\\s+\\d+\\s*=\\s*\\d+",
	"session=([a-z0-9]+);",
	"^(a|aa)+$",
	"^(a*)*b",
])("the longest header may be searched for %s in the event loop", (source) => {
	expect(cost(source, LIMITS.requestHeaderBytes)).toBeLessThan(LIMITS.heavyInlineNanoseconds);
});

describe("to find all matches", () => {
	const replaceCost = (source: string, characters: number): number => {
		const program = preparePattern(source);
		if (isPatternFault(program)) throw new Error(program.message);
		return openPattern(program).replaceCost("a".repeat(characters));
	};

	test.each(["a", "items/([0-9]+)", "(.*)", "(\\w+)/(\\w+)/?$", "(.*)/x(.*)y(.*)z", "\\pL+"])(
		"nothing is dear in a short text, and everything in the longest: %s",
		(source) => {
			expect(replaceCost(source, 0)).toBeGreaterThan(0);
			expect(replaceCost(source, 1)).toBeLessThan(LIMITS.heavyInlineNanoseconds);
			const longest = replaceCost(source, LIMITS.rewrittenUrlCharacters);
			expect(longest).toBeGreaterThan(LIMITS.heavyInlineNanoseconds);
		},
	);

	test.each(["items/([0-9]+)", "v0/user/([0-9]+).*", "/api/v([0-9])/(.*)", "(.*)", "//+"])(
		"an ordinary pattern is not dear in a URL of ordinary length: %s",
		(source) => {
			expect(replaceCost(source, 1000)).toBeLessThan(LIMITS.heavyInlineNanoseconds);
		},
	);

	test("RE2 searches twice for a match with groups", () => {
		const size = { instructions: 10, groupCount: 1 };
		expect(re2FindCost(size, 100)).toBe(2 * re2FindCost({ ...size, groupCount: 0 }, 100));
	});
});
