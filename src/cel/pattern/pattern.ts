/**
 * Patterns in RE2 syntax, matched in time that is known beforehand: for `matches` in expressions, and for
 * url-rewrite through `compilePattern` (contract 4 and 5). `prepare.ts` compiles a pattern: `re2.ts` judges the
 * source, `syntax.ts`, `translate.ts` and `agreement.ts` put it into JavaScript where both mean the same, and
 * `search-bounds.ts` says up to which length of text V8 can be trusted with it. `engines.ts` runs the result. Plain text
 * needs none of that (`literal.ts`).
 */
import { fail, ok } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { Cache } from "../cache.ts";
import { type CompilePattern, EvaluationFailure, Overrun } from "../expression.ts";
import { problemAt } from "../problem.ts";
import { searchCharge } from "./cost.ts";
import { Dfa } from "./dfa.ts";
import { openPattern } from "./engines.ts";
import { isLiteral, LiteralPattern } from "./literal.ts";
import { checkPattern, isPatternFault, matchAutomaton, preparePattern } from "./prepare.ts";
import { type PatternFault, Re2Pattern } from "./re2.ts";

export { dynamicCost, matchCost, searchCharge } from "./cost.ts";
export { openPattern } from "./engines.ts";
export { isPatternFault, preparePattern } from "./prepare.ts";
export type { PatternProgram } from "./program.ts";
export type { PatternFault } from "./re2.ts";
export { replaceMatches } from "./replacing.ts";

export const compilePattern: CompilePattern = (source) => {
	if (isLiteral(source)) return ok(new LiteralPattern(source));
	const program = preparePattern(source);
	if (!isPatternFault(program)) return ok(openPattern(program));
	const { message, offset } = program;
	return fail(problemAt(source, { offset, code: "invalid_pattern", message }));
};

interface DynamicPattern {
	readonly re2: Re2Pattern;
	/** undefined for what only RE2 runs */
	readonly dfa: Dfa | undefined;
}

/** Patterns that come with requests, or the faults of invalid ones. */
const dynamicPatterns = new Cache<DynamicPattern | PatternFault>(LIMITS.dynamicPatterns);

/**
 * Matches a pattern that is known only at run time. An automaton runs it, or RE2; finding out whether V8 may run it
 * would take longer than the search. Charges before it compiles and before it searches.
 * @throws EvaluationFailure if it is none, Overrun if it is too large, OutOfBudget
 */
export function matchesDynamic(text: string, source: string): boolean {
	const pattern = dynamicPatterns.get(source) ?? compiledDynamic(source);
	if ("message" in pattern) {
		throw new (pattern.isTooLarge ? Overrun : EvaluationFailure)(pattern.message);
	}
	const { dfa, re2 } = pattern;
	const automaton = dfa && { instructions: dfa.instructions, isSmall: false };
	charge(searchCharge({ test: undefined, automaton, instructions: re2.instructions }, text.length));
	return dfa === undefined ? re2.test(text) : dfa.test(text);
}

function compiledDynamic(source: string): DynamicPattern | PatternFault {
	charge(dynamicCompileCost(source.length));
	const re2 = checkPattern(source, LIMITS.dynamicPatternBytes);
	if (!(re2 instanceof Re2Pattern)) return dynamicPatterns.put(source, re2);
	const nfa = matchAutomaton(source);
	return dynamicPatterns.put(source, { re2, dfa: nfa && new Dfa(nfa, false) });
}

/** Nanoseconds to compile a character of a pattern (measured: 1000 to 40,000), and of so many more for each. */
const COMPILE_NS = 10_000;
const COMPILE_CHARACTERS = 10;

/** Nanoseconds to compile a pattern of so many characters; too long ones are not compiled. */
export const dynamicCompileCost = (characters: number): number =>
	COMPILE_NS * (COMPILE_CHARACTERS + Math.min(characters, LIMITS.dynamicPatternBytes));
