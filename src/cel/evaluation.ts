/**
 * Runs lowered code within its budget, and makes values of what it throws. `program.ts` makes predicates and
 * templates over it. Evaluations are synchronous and never overlap.
 */
import { LIMITS } from "../limits.ts";
import type { Attributes } from "./attributes.ts";
import { BUDGET, OutOfBudget } from "./budget.ts";
import { EvaluationFailure } from "./expression.ts";
import type { Run } from "./lower/code.ts";
import type { Value } from "./value.ts";

/** Spent; only expensive expressions come to this. */
export const OUT_OF_BUDGET: unique symbol = Symbol("out of budget");

/** Hot. Of code that is cheap whatever it is given: nothing is counted. Never throws. */
export function evaluateFreely(run: Run, attributes: Attributes): unknown {
	try {
		return run(attributes);
	} catch (error) {
		return failureOf(error);
	}
}

/** What expensive expressions may still take of the event loop until it turns; `beginInline` starts anew. */
let inlineLeft = Number.POSITIVE_INFINITY;

/**
 * To be called when a phase of a policy begins or goes on: its expensive expressions have together
 * `LIMITS.phaseInlineNanoseconds`, so that hundreds of them don't add up.
 */
export function beginInline(): void {
	inlineLeft = LIMITS.phaseInlineNanoseconds;
}

/** Hot. Of an expensive expression in the event loop. Never throws. */
export function evaluateInline(run: Run, attributes: Attributes): unknown {
	if (inlineLeft <= 0) return OUT_OF_BUDGET;
	const budget = Math.min(LIMITS.heavyInlineNanoseconds, inlineLeft);
	const result = evaluateWithin(run, attributes, budget);
	inlineLeft -= budget - lastLeft;
	return result;
}

/** of the last evaluation that counted */
let lastLeft = 0;

/** Of code that counts: `OUT_OF_BUDGET` if it takes more. Never throws. */
export function evaluateWithin(
	run: Run,
	attributes: Attributes | undefined,
	nanoseconds: number,
): unknown {
	BUDGET.left = nanoseconds;
	try {
		return run(attributes as Attributes);
	} catch (error) {
		return error instanceof OutOfBudget ? OUT_OF_BUDGET : failureOf(error);
	} finally {
		lastLeft = BUDGET.left;
		BUDGET.left = Number.POSITIVE_INFINITY;
	}
}

/** What the parts of one expression that read no attribute may still take together. */
export interface Allowance {
	nanoseconds: number;
}
export const newAllowance = (): Allowance => ({ nanoseconds: LIMITS.constantNanoseconds });

/** Of code that reads no attribute. @param allowance what it takes is taken off */
export function evaluateConstant(run: Run, allowance: Allowance): Value | EvaluationFailure {
	const counted: Run = (attributes) => {
		try {
			return run(attributes);
		} finally {
			allowance.nanoseconds = BUDGET.left;
		}
	};
	const value = evaluateWithin(counted, undefined, allowance.nanoseconds);
	return value === OUT_OF_BUDGET ? TOO_LONG : (value as Value | EvaluationFailure);
}

export const TOO_LONG = new EvaluationFailure("the evaluation takes too long");

function failureOf(error: unknown): EvaluationFailure {
	if (error instanceof EvaluationFailure) return error;
	return new EvaluationFailure(error instanceof Error ? error.message : String(error));
}
