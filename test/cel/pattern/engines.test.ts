/**
 * V8 and RE2 give the same answers: whether there is a match, all matches with their places and groups, and
 * the text with all of them replaced. Over a corpus of everything RE2's syntax has, and over generated
 * patterns; `PATTERN_CASES` and `PATTERN_SEED` for more and other cases.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Matches, Pattern } from "../../../src/cel/expression.ts";
import { openPattern } from "../../../src/cel/pattern/engines.ts";
import { isPatternFault, preparePattern } from "../../../src/cel/pattern/prepare.ts";
import type { PatternProgram } from "../../../src/cel/pattern/program.ts";
import { compileRe2, Re2Pattern } from "../../../src/cel/pattern/re2.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { CORPUS, CORPUS_TEXTS } from "./corpus.ts";
import { patterns, texts } from "./generated.ts";

const CASES = Number(process.env.PATTERN_CASES ?? 1500);
const SEED = Number(process.env.PATTERN_SEED ?? 1);

const DEADLINE = 60_000 + 100 * CASES;

function prepared(source: string): PatternProgram {
	const program = preparePattern(source);
	if (isPatternFault(program)) throw new Error(program.message);
	return program;
}

function re2(source: string): Re2Pattern {
	const compiled = compileRe2(source);
	if (!(compiled instanceof Re2Pattern)) throw new Error(compiled.message);
	return compiled;
}

/** All matches: what each left before it, and its groups. */
function answers(pattern: Pick<Pattern, "test" | "replace">, text: string): unknown {
	const matches: (string | undefined)[][] = [];
	const marked = pattern.replace(text, (groups) => {
		matches.push([...groups]);
		return `\u0001${matches.length}\u0002`;
	});
	return { test: pattern.test(text), matches, marked };
}

const ALWAYS = (): boolean => true;

/** With the groups of each match. */
const replaced = (pattern: Pattern, text: string, found: Matches | undefined): string =>
	pattern.replace(text, (groups) => JSON.stringify(groups), found);

describe("the corpus", () => {
	test.each(CORPUS)("$source", ({ source, test: isTested, replace }) => {
		const program = prepared(source);
		expect([program.test !== undefined, program.replace !== undefined]).toEqual([
			isTested,
			replace,
		]);
		const [pattern, expected] = [openPattern(program), re2(source)];
		for (const text of CORPUS_TEXTS) {
			expect(answers(pattern, text), JSON.stringify(text)).toEqual(answers(expected, text));
		}
	});

	test("has patterns that match and that don't, for each of its texts", () => {
		for (const text of CORPUS_TEXTS.slice(1)) {
			const found = CORPUS.map(({ source }) => re2(source).test(text));
			expect(found).toContain(true);
			expect(found).toContain(false);
		}
	});
});

test(
	"property: generated patterns on generated texts",
	() => {
		let byV8 = 0;
		fc.assert(
			fc.property(patterns, fc.array(texts, { minLength: 4, maxLength: 6 }), (source, some) => {
				const program = preparePattern(source);
				// a generated pattern may name two groups alike, or repeat too much
				fc.pre(!isPatternFault(program));
				const [pattern, expected] = [openPattern(program), re2(source)];
				if (program.replace !== undefined) byV8++;
				for (const text of some) {
					expect(answers(pattern, text)).toEqual(answers(expected, text));
					const found = pattern.findAll(text, Infinity, ALWAYS);
					expect(found).toEqual(expected.findAll(text, Infinity, ALWAYS));
					expect(replaced(pattern, text, found)).toEqual(replaced(pattern, text, undefined));
				}
			}),
			{ numRuns: CASES, seed: SEED },
		);
		expect(byV8).toBeGreaterThan(CASES / 5);
	},
	DEADLINE,
);

describe("texts with lone surrogates are RE2's", () => {
	const lone = ["\ud800", "a\udc00", "\udc00\ud800", "\ud83d\ud83d\ude00", "a\ud83dz", "😀\ude00"];
	test.each([".", "..", "a.z", "[^a]", "\\W+", "😀", "[^😀]", "(?s).$", "a?", "\\D*"])(
		"%s",
		(source) => {
			const [pattern, expected] = [openPattern(prepared(source)), re2(source)];
			for (const text of lone) {
				expect(answers(pattern, text), JSON.stringify(text)).toEqual(answers(expected, text));
			}
		},
	);
});

describe("long texts", () => {
	test("too long for V8 with this pattern, they are RE2's, and nothing else changes", () => {
		const program = prepared("b(a*)a*c");
		const limit = program.replace?.longestText ?? 0;
		expect(limit).toBeGreaterThan(LIMITS.patternShortestText);
		expect(limit).toBeLessThan(1000);
		for (const length of [limit, limit + 1, limit + 2]) {
			const text = `${"b".padEnd(length - 1, "a")}c`;
			expect(openPattern(program).replace(text, ([, group]) => `${group?.length}`)).toBe(
				`${length - 2}`,
			);
			expect(openPattern(program).test(text)).toBe(true);
		}
	});

	test("are given up where nobody lets the search go on, and not because it might take long", () => {
		const pattern = openPattern(prepared("\\pL.*!|\\pL"));
		expect(pattern.findAll("a".repeat(200), 3, ALWAYS)).toEqual([0, 1, 1, 2, 2, 3]);
		let left = 5;
		expect(pattern.findAll("a".repeat(200), Infinity, () => left-- > 0)).toBe(undefined);
		expect(left).toBe(-1);
		const large = openPattern(prepared("(?:\\pL.*){100}!"));
		expect(large.findAll("1".repeat(LIMITS.rewrittenUrlCharacters), 1, ALWAYS)).toEqual([]);
		expect(large.findAll("1".repeat(100), 1, ALWAYS)).toEqual([]);
	});

	test.each([
		["^(a+)+$", "a"],
		["(a|a)*b", "a"],
		["(a|ab|b)*c", "ab"],
		["x*x*x*y", "x"],
		["(.*,)*(.*;)*!", ","],
		["(?:a?){50}(?:a){50}b", "a"],
		["[ab]*a[ab]{12}c", "ab"],
		["(?:[^/]*/)*x", "/a"],
		["(?i)(?:k|\\w)*[^k]$", "K"],
	])("a search for %s ends", (source, part) => {
		const pattern = openPattern(prepared(source));
		for (const length of [41, 150, 3000]) {
			const text = part.repeat(length).slice(0, length);
			expect(pattern.test(`${text}!`)).toBe(re2(source).test(`${text}!`));
		}
	});
});

test("a program is plain data: a clone of it runs as it does", () => {
	const program = structuredClone(prepared("(?P<year>[0-9]{4})-(?<month>[0-9]{2})"));
	expect(program).toEqual(prepared(program.original));
	const pattern = openPattern(program);
	expect(pattern.groupCount).toBe(2);
	expect([...pattern.groupNames]).toEqual([
		["year", 1],
		["month", 2],
	]);
	expect(pattern.replace("on 2026-11-21", ([, year, month]) => `${month}/${year}`)).toBe(
		"on 11/2026-21",
	);
});

test("the same pattern is opened once", () => {
	expect(openPattern(prepared("a(b)c"))).toBe(openPattern(prepared("a(b)c")));
});

test("a replacement may use the pattern that is at work, and may give up", () => {
	const pattern = openPattern(prepared("a"));
	expect(pattern.replace("aba", () => pattern.replace("aa", () => "x"))).toBe("xxbxx");
	const stop = new Error("enough");
	const giveUp = () => {
		throw stop;
	};
	expect(() => pattern.replace("aba", giveUp)).toThrow(stop);
	expect(pattern.replace("aba", () => "x")).toBe("xbx");
});

test("V8's net is wider than any search that is admitted", () => {
	const most =
		LIMITS.patternSteps + LIMITS.patternStepsPerCharacter * LIMITS.evaluationTextCharacters;
	expect(LIMITS.patternBacktracks).toBeGreaterThan(most);
});

test("V8's net holds: without the bounds, an endless search would still end", () => {
	expect(/^(?:a+)+$/.test(`${"a".repeat(60)}!`)).toBe(false);
});
