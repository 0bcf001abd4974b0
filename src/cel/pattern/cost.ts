/**
 * What one search costs at most, for the bounds on an evaluation. Called through `pattern.ts` by what
 * estimates expressions.
 *
 * Measured with `npm run bench:patterns` on 2 cores of a shared machine, node 20.20; the worst patterns
 * found, on texts made for them, warm:
 */
import type { PatternProgram } from "./program.ts";

/** nanoseconds of a call whatever it does, and of a step */
const V8_CALL = 60;
const V8_STEP = 2;
/** nanoseconds of a call, of a character, and of a character for each instruction */
const RE2_CALL = 3000;
const RE2_CHARACTER = 60;
const RE2_INSTRUCTION = 45;

/**
 * @param characters UTF-16 units of the text
 * @returns nanoseconds, of `test` on a pattern that has been used before
 */
export function matchCost(program: PatternProgram, characters: number): number {
	const { test, instructions } = program;
	if (test === undefined || characters > test.longestText) {
		return RE2_CALL + characters * (RE2_CHARACTER + RE2_INSTRUCTION * instructions);
	}
	const steps = test.steps[Math.ceil(Math.log2(Math.max(1, characters)))] ?? 0;
	return V8_CALL + V8_STEP * steps;
}
