/** What decides whether there is a match: the same texts match, and there is less to try. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { essenceOf } from "../../../src/cel/pattern/essence.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import { CountedSearch, TooManySteps } from "./counted-search.ts";
import { loopyPatterns, loopyTexts, patterns, plainTexts } from "./generated.ts";

const CASES = Number(process.env.PATTERN_CASES ?? 1000);
const SEED = Number(process.env.PATTERN_SEED ?? 1);

const DEADLINE = 60_000 + 100 * CASES;

const essence = (source: string) => {
	const tree = parsePattern(source);
	return tree && essenceOf(tree);
};

test.each([
	[".*foo.*", "foo"],
	["([a-z]+)@([a-z]+)", "[a-z]@[a-z]"],
	["a{2,5}b", "a{2}b"],
	["x*x*y", "y"],
	["a[0-9]+.*b", "a[0-9].*b"],
	["a.*[0-9]+b", "a.*[0-9]b"],
	["(.*a|b+)", "a|b"],
	["(?:a?b){2,}", "(?:a?b){2}"],
	["^.*foo$", "^.*foo$"],
	["a.*b", "a.*b"],
	["b(a*)a*c", "ba*c"],
	["ba*[ab]*.*a*a+c", "b.*ac"],
	["a[^b]*[0-9]{2,}c", "a[^b]*[0-9]{2}c"],
	["(.*)", ""],
])("that of %s is %s", (source, expected) => {
	expect(essence(source)).toEqual(parsePattern(expected));
});

test.each([
	["of all kinds", patterns, plainTexts],
	["full of loops", loopyPatterns, loopyTexts],
])(
	"property: it matches the texts that the pattern matches, %s",
	(_kind, sources, texts) => {
		fc.assert(
			fc.property(sources, texts, (source, text) => {
				const tree = parsePattern(source);
				fc.pre(tree !== undefined);
				const found = (of: typeof tree) => new CountedSearch(of, text, 5000).find(0) !== undefined;
				try {
					expect(found(essenceOf(tree))).toBe(found(tree));
				} catch (error) {
					// a search without end tells nothing
					if (!(error instanceof TooManySteps)) throw error;
				}
			}),
			{ numRuns: CASES, seed: SEED },
		);
	},
	DEADLINE,
);
