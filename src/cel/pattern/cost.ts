/**
 * How long one search takes at most, for the bounds on an evaluation. Called through `pattern.ts` by `cost/`,
 * which estimates expressions, and by the functions that charge for a search.
 *
 * `npm run bench:patterns`, node 20.20, 2 cores shared with other work (a letter 3 to 6 ns for 2.3 without it); the
 * worst searches found, on texts made for them.
 *
 * | search                              | characters | engine |      µs | bound µs |
 * | `a{0}b|a{1}b|…`, 60 alternatives    |         67 | V8     |      92 |      139 |
 * | `[ab]*a[ab]{10}[c-f]`               |     65,536 | V8     |    2838 |     3769 |
 * | `^(a+)+$`                           |     65,536 | DFA    |     200 |      197 |
 * | `[ab]*a[ab]{100}[c-f]`              |     65,536 | DFA    |  36,810 |  100,983 |
 * | `[ab]*a[ab]{900}[c-f]`              |     65,536 | DFA    | 253,426 |  828,432 |
 * | `(?:[ab]{0,100}a[ab]{100}){2}[c-f]` |     65,536 | DFA    | 399,021 |  556,548 |
 * | `\pL*a\pL{100}[0-9]`                |     65,536 | RE2    | 109,018 |  466,542 |
 */
import {
	CALL_NS,
	LETTER_NS,
	LETTERS_FOR_ONE,
	MADE_FREELY,
	MADE_NS,
	STEP_NS,
	WORK_NS,
} from "./dfa-cost.ts";
import type { AutomatonSize } from "./dfa-size.ts";
import type { PatternProgram, V8Program } from "./program.ts";

/** What the cost of one search follows from. */
type Searched = Pick<PatternProgram, "automaton" | "instructions" | "test">;

/** nanoseconds of a call whatever it does, with its groups; and of a step */
const V8_CALL = 100;
export const V8_STEP = 2;
/**
 * nanoseconds of a call, of a character, and of a character for each instruction. RE2 first builds an
 * automaton for the text at hand, up to so many instructions in its states, then goes on without
 */
const RE2_CALL = 3000;
const RE2_CHARACTER = 60;
const RE2_INSTRUCTION = 45;
const RE2_BUILDING = 150;
const RE2_BUILT = 1_000_000;

/**
 * @param characters UTF-16 units of the text
 * @returns nanoseconds, of `test` on a pattern that has been used before, and on any text that is no longer
 */
export function matchCost(program: Searched, characters: number): number {
	const { automaton, test, instructions } = program;
	const byV8 = test === undefined ? 0 : v8Cost(test, Math.min(characters, test.longestText));
	if (test !== undefined && characters <= test.longestText) return byV8;
	if (automaton === undefined) return Math.max(byV8, re2Cost(instructions, characters));
	const walked = automatonCharge(characters);
	return Math.max(byV8, automaton.isSmall ? walked : walked + makingCost(automaton, characters));
}

const v8Cost = (program: V8Program, characters: number): number =>
	V8_CALL + V8_STEP * stepsOf(program, characters);

/** The charge for the walk over an automaton's table; states that have to be made are charged on top as they are made. */
const automatonCharge = (characters: number): number => CALL_NS + LETTER_NS * characters;

/** at each instruction in a step: leaving it, coming to it, and deciding what waited for the next letter */
const LOOKS = 4;

/** Of a search that asks for new transitions all the time, and then goes on without keeping them. */
function makingCost(
	{ instructions }: Pick<AutomatonSize, "instructions">,
	characters: number,
): number {
	const work = WORK_NS * LOOKS * instructions;
	const made = Math.min(characters + 1, MADE_FREELY + characters / LETTERS_FOR_ONE);
	return made * (MADE_NS + work) + characters * (STEP_NS + work);
}

function stepsOf({ steps }: V8Program, characters: number): number {
	// the exponent of the power of 2 that is no less
	const exponent = characters <= 1 ? 0 : 32 - Math.clz32(characters - 1);
	return steps[exponent] ?? 0;
}

/**
 * Bounds are those of texts made for the worst. On others V8 takes a tenth of them and less (70 characters for
 * `(?i)bot|crawl|…`: 0.06 µs, bound 5), RE2 a hundredth (2 KB for `\pL+\s+select`: 16 to 90 µs, bound 6 ms). A
 * search that is no harm at its worst either is charged with a part of it, so that neither hundreds of rules nor long
 * query strings send a request to a thread for nothing.
 */
const HARMLESS_V8 = 150_000;
const HARMLESS_V8_PART = 1 / 8;
const HARMLESS = 5_000_000;
const HARMLESS_PART = 1 / 16;

/** Hot. Nanoseconds that an evaluation in progress is charged with before a search; at most `matchCost`. */
export function searchCharge(program: Searched, characters: number): number {
	const { automaton, test, instructions } = program;
	if (test !== undefined && characters <= test.longestText) {
		const cost = v8Cost(test, characters);
		return cost <= HARMLESS_V8 ? cost * HARMLESS_V8_PART : cost;
	}
	if (automaton !== undefined) return automatonCharge(characters);
	const cost = re2Cost(instructions, characters);
	return cost <= HARMLESS ? cost * HARMLESS_PART : cost;
}

/** As `matchCost`, for a pattern known only at run time, of so many instructions, whichever engine runs it. */
export const dynamicCost = (instructions: number, characters: number): number =>
	Math.max(
		re2Cost(instructions, characters),
		automatonCharge(characters) + makingCost({ instructions }, characters),
	);

/** As `matchCost`, for RE2: of patterns known only at run time too, once they are compiled. */
function re2Cost(instructions: number, characters: number): number {
	const tried = characters * instructions;
	const building = RE2_BUILDING * Math.min(tried, RE2_BUILT);
	return RE2_CALL + RE2_CHARACTER * characters + RE2_INSTRUCTION * tried + building;
}

/** What the cost of finding all matches by RE2 grows with. */
export type PatternSize = Pick<PatternProgram, "groupCount" | "instructions" | "matchesApart">;

/**
 * As `matchCost`, for the search for one match in what is left of a text, which builds no automaton; the groups
 * of a match are found by another.
 */
export function re2FindCost(
	{ groupCount, instructions }: Pick<PatternSize, "groupCount" | "instructions">,
	characters: number,
): number {
	const once = RE2_CALL + (RE2_CHARACTER + RE2_INSTRUCTION * instructions) * characters;
	return groupCount > 0 ? 2 * once : once;
}

const searchesIn = ({ matchesApart }: PatternSize, characters: number): number =>
	Math.floor(characters / matchesApart) + 2;

/** For all matches: each search may look at all the rest, however little it takes. */
export const re2ReplaceCost = (size: PatternSize, characters: number): number =>
	searchesIn(size, characters) * re2FindCost(size, characters);

/** @param replace V8's program if it is admitted for the text; for RE2, a harmless cost as in `searchCharge` */
export function replaceCost(
	program: PatternProgram,
	replace: V8Program | undefined,
	characters: number,
): number {
	if (replace !== undefined) {
		return V8_CALL * searchesIn(program, characters) + V8_STEP * stepsOf(replace, characters);
	}
	const cost = re2ReplaceCost(program, characters);
	return cost <= HARMLESS ? cost * HARMLESS_PART : cost;
}
