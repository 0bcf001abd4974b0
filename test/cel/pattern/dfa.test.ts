/**
 * The automaton finds a match where RE2 does: over the corpus, over generated patterns and texts (lone surrogates
 * and long texts among them), whatever states it has met before, with hardly any room for them and with none kept.
 * `PATTERN_CASES` and `PATTERN_SEED` for more and other cases.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUDGET, OutOfBudget } from "../../../src/cel/budget.ts";
import { Dfa } from "../../../src/cel/pattern/dfa.ts";
import { MADE_FREELY } from "../../../src/cel/pattern/dfa-cost.ts";
import { matchAutomaton } from "../../../src/cel/pattern/prepare.ts";
import { compileRe2, Re2Pattern } from "../../../src/cel/pattern/re2.ts";
import { STATE_MEMORY } from "../../../src/cel/pattern/state-memory.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { CORPUS, CORPUS_TEXTS } from "./corpus.ts";
import { loopyPatterns, loopyTexts, patterns, texts } from "./generated.ts";

const CASES = Number(process.env.PATTERN_CASES ?? 3000);
const SEED = Number(process.env.PATTERN_SEED ?? 1);
const DEADLINE = 60_000 + 100 * CASES;

/** undefined for what only RE2 runs */
function dfaOf(source: string): Dfa | undefined {
	const nfa = matchAutomaton(source);
	return nfa && new Dfa(nfa, false);
}

/** undefined for what is no pattern */
function re2(source: string): Re2Pattern | undefined {
	const compiled = compileRe2(source);
	return compiled instanceof Re2Pattern ? compiled : undefined;
}

describe("the corpus", () => {
	const known = CORPUS.filter(({ source }) => dfaOf(source) !== undefined);

	test.each(known)("$source", ({ source }) => {
		const [dfa, expected] = [dfaOf(source), re2(source)];
		for (const text of CORPUS_TEXTS) {
			expect(dfa?.test(text), JSON.stringify(text)).toBe(expected?.test(text));
		}
	});

	test("is known but for what depends on the version of Unicode", () => {
		const unknown = CORPUS.filter((each) => !known.includes(each)).map(({ source }) => source);
		expect(unknown.filter((source) => !/\\[pP]|\(\?i\)[^ -~]/.test(source))).toEqual([]);
		expect(known.length).toBeGreaterThan(80);
	});
});

/** halves of pairs, alone and beside others */
const anyTexts = fc.oneof(
	texts,
	fc.string({ unit: fc.constantFrom("a", "\ud83d", "\ude00", "\n", "é", "1", " "), maxLength: 12 }),
);

describe("property", () => {
	test(
		"generated patterns on generated texts",
		() => {
			let run = 0;
			fc.assert(
				fc.property(
					patterns,
					fc.array(anyTexts, { minLength: 4, maxLength: 8 }),
					(source, some) => {
						const [dfa, expected] = [dfaOf(source), re2(source)];
						if (dfa === undefined || expected === undefined) return;
						run++;
						for (const text of some) expect(dfa.test(text), text).toBe(expected.test(text));
					},
				),
				{ numRuns: CASES, seed: SEED },
			);
			expect(run).toBeGreaterThan(CASES / 4);
		},
		DEADLINE,
	);

	test(
		"loops on texts that keep them busy",
		() => {
			fc.assert(
				fc.property(
					loopyPatterns,
					fc.array(loopyTexts, { minLength: 2, maxLength: 4 }),
					(source, some) => {
						const [dfa, expected] = [dfaOf(source), re2(source)];
						if (dfa === undefined || expected === undefined) return;
						for (const text of some) expect(dfa.test(text), text).toBe(expected.test(text));
					},
				),
				{ numRuns: CASES, seed: SEED },
			);
		},
		DEADLINE,
	);
});

/** `a` and `b` at random: a pattern that looks so many letters back has a new state at each. */
function random(length: number): string {
	let state = 12345;
	let text = "";
	while (text.length < length) {
		state = (state * 1103515245 + 12345) & 0x7fffffff;
		text += "ab"[(state >> 16) & 1];
	}
	return text;
}

describe("a text that asks for ever new states", () => {
	const source = "[ab]*a[ab]{60}[c-f]";
	const ends = random(61);

	test("is searched to its end, and states are within their bounds", () => {
		const dfa = dfaOf(source);
		for (let round = 0; round < 4; round++) {
			const text = random(20_000 + 1000 * round);
			expect(dfa?.test(text)).toBe(false);
			expect(dfa?.test(`${text}a${ends.slice(1)}c`)).toBe(true);
			expect(dfa?.states).toBeGreaterThan(MADE_FREELY / 4);
			expect(STATE_MEMORY.total).toBeLessThanOrEqual(LIMITS.automataBytes);
		}
	});

	test("can be stopped by its charges anywhere, and the same automaton goes on with other texts", () => {
		const dfa = dfaOf(source);
		const text = `${random(3000)}a${ends.slice(1)}c`;
		let stops = 0;
		for (let budget = 10_000; ; budget *= 2) {
			BUDGET.left = budget;
			try {
				expect(dfa?.test(text)).toBe(true);
				break;
			} catch (error) {
				if (!(error instanceof OutOfBudget)) throw error;
				stops++;
			} finally {
				BUDGET.left = Number.POSITIVE_INFINITY;
			}
			expect(dfa?.test("abba")).toBe(false);
			expect(dfa?.test(`a${ends.slice(1)}d`)).toBe(true);
		}
		expect(stops).toBeGreaterThan(2);
	});
});

test("the table is emptied when it is full, in the middle of a search too", () => {
	// each state has hundreds of members: some hundred of them fill the room of one pattern
	const source = "[ab]*a[ab]{700}c";
	const dfa = dfaOf(source);
	const seen = new Set<number>();
	for (let round = 0; round < 3; round++) {
		const text = random(3000 + 50 * round);
		expect(dfa?.test(text)).toBe(false);
		seen.add(dfa?.states ?? 0);
	}
	// fewer than were made: each has some 350 members of two bytes, kept twice
	expect(Math.max(...seen)).toBeGreaterThan(0);
	expect(Math.max(...seen) * 1000).toBeLessThan(2 * LIMITS.automatonBytes);
	expect(dfa?.test(`a${random(700)}c`)).toBe(true);
});

test("pairs of surrogates are one letter, also where a text is taken in parts", () => {
	for (const before of [4094, 4095, 4096, 8190, 8191]) {
		const text = `${"x".repeat(before)}😀y`;
		expect(dfaOf("😀y$")?.test(text)).toBe(true);
		expect(dfaOf("x[😀]y")?.test(text)).toBe(true);
		expect(dfaOf("x..$")?.test(text)).toBe(true);
		expect(dfaOf("x...$")?.test(text)).toBe(before > 1);
		expect(dfaOf("😁y")?.test(text)).toBe(false);
	}
});
