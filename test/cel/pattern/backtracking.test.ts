/** From one place in a text: how often what comes behind a node is tried, and the steps until then. */
import { describe, expect, test } from "vitest";
import { ACCEPT, concatBound, totalSteps } from "../../../src/cel/pattern/backtracking.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import type { Node } from "../../../src/cel/pattern/tree.ts";

const bound = (source: string) => {
	const tree = parsePattern(source);
	const parts: readonly Node[] = tree?.kind === "concat" ? tree.parts : tree ? [tree] : [];
	return concatBound(parts, ACCEPT);
};

const steps = (source: string, length: number): number =>
	totalSteps(bound(source).at(length), length);

/** how the steps grow when the text is ten times as long: by the power of ten it is close to */
const degree = (source: string): number => {
	const [short, long] = [steps(source, 1000), steps(source, 10_000)];
	return Math.round(Math.log10(long / short));
};

describe("the work grows with the text's length to the power of", () => {
	test.each([
		["abc", 0],
		["[a-z]{3}|x", 0],
		["(a|bc)*$", 1],
		["[0-9]+/[a-z]+/x", 1],
		["(?:[^/]*/)*x", 2],
		["(?:foo|bar)*x", 1],
		["(?:a[^b]*b)?[^a]*c", 1],
		["a*a", 1],
		["a*b*$", 1],
		["(.*)", 1],
		["a*a*b", 2],
		[".*foo", 1],
		[".*.*foo", 2],
		["(?:.*,)?.*;", 2],
		["(?:.*,){2}x", 2],
	])("%s: %i", (source, power) => {
		expect(degree(source)).toBe(power);
	});
});

test.each(["(a+)+$", "(?:a|a)*b", "(?:a|ab|b)*c", "(?:.*,)*x", "(?:a?){50}b"])(
	"%s: without bound",
	(source) => {
		expect(steps(source, 1000)).toBeGreaterThan(1e12);
	},
);

test("what is followed by success in any case is left once", () => {
	expect(bound("a*").at(1000).ways).toBe(1);
	expect(bound("(?:a|ab)*").at(1000).ways).toBe(1);
	expect(bound("a*$").at(1000).ways).toBe(1);
	expect(bound("(?:a|ab){0,2}$").at(1000).ways).toBeGreaterThan(1);
});
