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
import { LIMITS } from "../../../src/limits/limits.ts";
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

/** What matches often, and is given back when it fails far behind its begin; one loop in another at most. */
const oftenMatching = (() => {
	const signs = fc.constantFrom("", "", "", "*", "+", "?", "*?", "{2,}", "{0,2}", "{20,30}");
	const atoms = fc.constantFrom(..."aabc.", "[ab]", "[^a]", "[^b]", "[^c]", "$", "(?m:^)");
	const items = fc.tuple(atoms, signs).map((parts) => parts.join(""));
	const sequences = fc.array(items, { minLength: 1, maxLength: 3 }).map((some) => some.join(""));
	const groups = fc
		.tuple(fc.array(sequences, { minLength: 1, maxLength: 3 }), signs)
		.map(([some, sign]) => `(${some.join("|")})${sign}`);
	return fc
		.array(fc.oneof(items, groups), { minLength: 1, maxLength: 3 })
		.map((some) => some.join(""));
})();

/** long enough for what is looked at again for each match to show */
const monotonousTexts = fc
	.tuple(fc.string({ unit: fc.constantFrom(..."aabbc"), minLength: 1, maxLength: 3 }), fc.nat(400))
	.map(([part, length]) => part.repeat(length).slice(0, length));

test(
	"property: nor do those for all matches, however often a pattern matches",
	() => {
		let [compared, matches] = [0, 0];
		fc.assert(
			fc.property(
				oftenMatching,
				fc.array(monotonousTexts, { minLength: 3, maxLength: 5 }),
				(source, texts) => {
					const node = parsePattern(source);
					fc.pre(node !== undefined);
					const { all } = searchBounds(node);
					for (const text of texts) {
						const bound = all(text.length);
						if (bound > 5 * COUNTED) continue;
						const search = new CountedSearch(node, text, 10 * COUNTED);
						matches += search.findAll();
						expect(search.steps).toBeLessThanOrEqual(bound);
						compared++;
					}
				},
			),
			runs,
		);
		expect(compared).toBeGreaterThan(runs.numRuns);
		expect(matches).toBeGreaterThan(5 * compared);
	},
	DEADLINE,
);

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
		["a(?:b[^c]*c)?", "ab"],
		["a(?:b[^c]*c)*", "ab"],
		["(?:ab*c){2,}", "abcabcabbbbbb"],
		["a(?:b[^c]*c|b)", "ab"],
		["b[^c]*c|b", "b"],
		["(?:a.*!|a)", "a"],
		["a[^b]*", "aaab"],
		["[?&]a_[^&]*", "&a_b"],
		["(?:a|ab)(?:bc*)?", "abcc"],
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
	["[a-z]+@[a-z]+", 65_536, 100],
	[".*foo.*", 65_536, 16],
	["x*x*y", 65_536, 16],
	["items/([0-9]+)", 65_536, 65_536],
	["v0/user/([0-9]+).*", 65_536, 65_536],
	["^https?://[^/]+/(v1|v2)/(.*)$", 65_536, 65_536],
	["/api/v([0-9])/(.*)", 65_536, 65_536],
	["[?&]utm_[^&]*", 65_536, 65_536],
	["//+", 65_536, 65_536],
	["(.*)", 65_536, 65_536],
	["/(foo|bar)/(?P<rest>.*)", 65_536, 65_536],
	["^(https?://[^/]+)/(.*)/index\\.html$", 65_536, 1024],
	["Mozilla/5\\.0 \\(.*Windows NT", 200, 200],
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
