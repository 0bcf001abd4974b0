/**
 * The bounds hold: a search that counts its steps takes no more, whatever the pattern and the text. And they
 * are of use: patterns that people write get V8 for texts of ordinary length.
 * `PATTERN_CASES` and `PATTERN_SEED` for more and other cases.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { essenceOf } from "../../../src/cel/pattern/essence.ts";
import { searchBounds } from "../../../src/cel/pattern/search-bounds.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import type { Node } from "../../../src/cel/pattern/tree.ts";
import { LIMITS } from "../../../src/limits.ts";
import { CountedSearch, TooManySteps } from "./counted-search.ts";
import { loopyPatterns, loopyTexts } from "./generated.ts";

const runs = {
	numRuns: Number(process.env.PATTERN_CASES ?? 1000),
	seed: Number(process.env.PATTERN_SEED ?? 1),
};
const DEADLINE = 60_000 + 100 * runs.numRuns;
/** bounds beyond it are not tried: no search would come near */
const COUNTED = 20_000;

const tree = (source: string): Node => {
	const parsed = parsePattern(source);
	if (parsed === undefined) throw new Error(`${source} is not read`);
	return parsed;
};

function steps(node: Node, text: string, all: boolean, most = 2 * COUNTED): number {
	const search = new CountedSearch(node, text, most);
	try {
		if (all) search.findAll();
		else search.find(0);
	} catch (error) {
		if (!(error instanceof TooManySteps)) throw error;
	}
	return search.steps;
}

describe("property: no search takes more steps than its bound", () => {
	test.each([
		["a pattern", (node: Node) => node],
		["its essence", essenceOf],
	])(
		"of %s",
		(_what, of) => {
			let compared = 0;
			fc.assert(
				fc.property(
					loopyPatterns,
					fc.array(loopyTexts, { minLength: 3, maxLength: 5 }),
					(source, texts) => {
						const parsed = parsePattern(source);
						fc.pre(parsed !== undefined);
						const node = of(parsed);
						const bounds = searchBounds(node);
						for (const text of texts) {
							for (const [all, bound] of [
								[false, bounds.one(text.length)],
								[true, bounds.all(text.length)],
							] as const) {
								expect(bound).not.toBe(Number.NaN);
								if (bound > COUNTED) continue;
								compared++;
								expect(steps(node, text, all)).toBeLessThanOrEqual(bound);
							}
						}
					},
				),
				runs,
			);
			expect(compared).toBeGreaterThan(runs.numRuns);
		},
		DEADLINE,
	);
});

describe("nor do searches made to be long", () => {
	test.each([
		["^a*x?a*!", "a"],
		["^a*(?:b|c|d|e|f|g|h|i|j|k)!", "a"],
		[`^${"(?:$|$)".repeat(10)}!`, ""],
		["^(?:a*b?)*!", "ab"],
		["[ab]*a[ab]{12}!", "ab"],
		["^(?:[ab]*,)*!", "a,b,"],
		["(?:a?b?){8}!", "ab"],
		["aab.*!", "aab"],
		["^(?:a|ab|b)*?!", "ab"],
		["(?:a{2,3}b){1,4}!", "aaab"],
	])("%s on %s", (source, part) => {
		const node = tree(source);
		const bounds = searchBounds(node);
		for (const length of [0, 1, 12, 100, 300]) {
			const text = part.repeat(length).slice(0, length);
			for (const [all, bound] of [
				[false, bounds.one(text.length)],
				[true, bounds.all(text.length)],
			] as const) {
				expect(steps(node, text, all, 200_000)).toBeLessThanOrEqual(bound);
			}
		}
	});
});

/** The longest text of those tried for which V8 is used. */
const longest = (bound: (length: number) => number): number =>
	[65_536, 8192, 1024, 200, 100, 16].find(
		(length) => bound(length) <= LIMITS.patternSteps + LIMITS.patternStepsPerCharacter * length,
	) ?? 0;

test.each([
	["(?i)(gptbot|chatgpt-user)/", 65_536, 65_536],
	["(bot|crawler|spider)", 65_536, 65_536],
	["^/api/[^/]+/items/[0-9]+$", 65_536, 65_536],
	["\\.(?:jpg|png|gif|css|js)$", 65_536, 65_536],
	["^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$", 65_536, 65_536],
	["[a-z]+@[a-z]+", 65_536, 16],
	[".*foo.*", 65_536, 16],
	["x*x*y", 65_536, 16],
	["items/([0-9]+)", 65_536, 200],
	["v0/user/([0-9]+).*", 65_536, 200],
	["^https?://[^/]+/(v1|v2)/(.*)$", 65_536, 8192],
	["Mozilla/5\\.0 \\(.*Windows NT", 200, 100],
	["Chrome/[0-9]+.*Safari", 200, 16],
	["(?i)union\\s+select", 200, 200],
	["[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}", 65_536, 8192],
	["^(a+)+$", 0, 0],
	["x(?:a|ab|b)*c", 0, 0],
	["(.*)(.*)(.*)x", 65_536, 0],
])("%s: V8 for %i characters to find a match, for %i to replace", (source, one, all) => {
	expect(longest(searchBounds(essenceOf(tree(source))).one)).toBe(one);
	expect(longest(searchBounds(tree(source)).all)).toBe(all);
});
