/**
 * Runs lowered code within its budget, and turns everything that the code throws into a value. Called by
 * `program.ts` for predicates and templates, by `settle.ts` in threads, by `lower/assemble.ts` for parts that
 * are evaluated beforehand. Evaluations are synchronous and never overlap.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Attributes } from "./attributes.ts";
import { BUDGET, type GoesOn, OutOfBudget } from "./budget.ts";
import { EvaluationFailure, Overrun } from "./expression.ts";
import type { Run } from "./lower/open.ts";
import type { Value } from "./values/value.ts";

/** Spent: a thread has to go on with it. */
export const OUT_OF_BUDGET: unique symbol = Symbol("out of budget");

/**
 * To be called when a phase of a policy begins or goes on, as `endInline` when it stops. All expressions of a
 * request share one budget of the event loop's time, so that hundreds of them don't add up. Nothing is counted
 * outside of a phase. @param nanoseconds as the last `endInline` of the request has left, at first
 * `LIMITS.requestInlineNanoseconds`
 */
export function beginInline(nanoseconds: number): void {
	BUDGET.left = nanoseconds;
}

export function endInline(): number {
	const { left } = BUDGET;
	BUDGET.left = Number.POSITIVE_INFINITY;
	return left;
}

/** May work that is told beforehand be done in the event loop? Then it is counted. */
export function takeInline(nanoseconds: number): boolean {
	if (nanoseconds > Math.min(LIMITS.heavyInlineNanoseconds, BUDGET.left)) return false;
	BUDGET.left -= nanoseconds;
	return true;
}

/**
 * Hot. Runs code that is cheap for every request, in the event loop. Its charges count for the request.
 * Never throws.
 */
export function evaluateFreely(
	run: Run,
	attributes: Attributes,
	constants: readonly unknown[] = NONE,
	first = 0,
): unknown {
	try {
		return run(attributes, constants, first);
	} catch (error) {
		return resultOf(error);
	}
}

const NONE: readonly never[] = [];

/** As `evaluateFreely`, of code that must not be begun and done again elsewhere: it runs to its end. */
export function evaluateOnce(
	run: Run,
	attributes: Attributes,
	constants: readonly unknown[] = NONE,
): unknown {
	const { left } = BUDGET;
	if (left <= 0) return OUT_OF_BUDGET;
	BUDGET.left = UNCOUNTED;
	const result = evaluateFreely(run, attributes, constants);
	BUDGET.left = left - (UNCOUNTED - BUDGET.left);
	return result;
}

/** more than anything cheap can charge, and little enough for differences to be exact */
const UNCOUNTED = 1e12;

/**
 * Hot. Of several predicates in one function, all cheap whatever they are given. @returns all bits where the
 * request's budget is spent: each has to be asked for itself
 */
export function evaluateFused(
	run: (attributes: Attributes) => number,
	attributes: Attributes,
): number {
	try {
		return run(attributes);
	} catch (error) {
		if (resultOf(error) === OUT_OF_BUDGET) return ALL_BITS;
		throw error;
	}
}

const ALL_BITS = -1;

/** Hot. Of an expensive expression in the event loop. Never throws. @param first where in them its constants begin */
export function evaluateInline(
	run: Run,
	attributes: Attributes,
	constants: readonly unknown[] = NONE,
	first = 0,
): unknown {
	const { left } = BUDGET;
	if (left <= 0) return OUT_OF_BUDGET;
	const slice = Math.min(LIMITS.heavyInlineNanoseconds, left);
	BUDGET.left = slice;
	const result = evaluateFreely(run, attributes, constants, first);
	BUDGET.left = left - (slice - BUDGET.left);
	return result;
}

/**
 * Of code that counts: `OUT_OF_BUDGET` if it takes more. Never throws.
 * @param goesOn asked whenever the budget is spent, if given: may it go on?
 */
export function evaluateWithin(
	run: Run,
	attributes: Attributes | undefined,
	nanoseconds: number,
	goesOn?: GoesOn,
	constants: readonly unknown[] = NONE,
): unknown {
	const { left } = BUDGET;
	BUDGET.left = nanoseconds;
	BUDGET.goesOn = goesOn;
	try {
		return run(attributes as Attributes, constants, 0);
	} catch (error) {
		return resultOf(error);
	} finally {
		BUDGET.left = left;
		BUDGET.goesOn = undefined;
	}
}

/** What the parts of one expression that read no attribute may still take together. */
export interface Allowance {
	nanoseconds: number;
}
export const newAllowance = (): Allowance => ({ nanoseconds: LIMITS.constantNanoseconds });

/** Runs code that reads no attribute. @param allowance is reduced by the charges of the code */
export function evaluateConstant(run: Run, allowance: Allowance): Value | EvaluationFailure {
	const counted: Run = (attributes) => {
		try {
			return run(attributes, NONE, 0);
		} finally {
			allowance.nanoseconds = BUDGET.left;
		}
	};
	const value = evaluateWithin(counted, undefined, allowance.nanoseconds);
	return value === OUT_OF_BUDGET ? TOO_LONG : (value as Value | EvaluationFailure);
}

export const TOO_LONG = new Overrun("the evaluation takes too long");

/** Turns a thrown error into a value. After `OutOfBudget` nothing is left: the work that was charged last is not done. */
export function resultOf(error: unknown): EvaluationFailure | typeof OUT_OF_BUDGET {
	if (error instanceof EvaluationFailure) return error;
	if (error instanceof OutOfBudget) {
		BUDGET.left = 0;
		return OUT_OF_BUDGET;
	}
	// a bug, or the platform's bounds: no room on the stack, or for a text
	return new Overrun(error instanceof Error ? error.message : String(error));
}
