/** The cost of a search: more for more text, and for what RE2 must do. Measured by `bench/patterns.mjs`. */
import { expect, test } from "vitest";
import { matchCost } from "../../../src/cel/pattern/cost.ts";
import { isPatternFault, preparePattern } from "../../../src/cel/pattern/program.ts";

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
	expect(cost("[ab]*a[ab]{900}c", 65_536)).toBeGreaterThan(1e9);
});
