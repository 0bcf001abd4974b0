/** Calls of library functions by signature, as tests of this folder make them. */
import { BUDGET, OutOfBudget } from "../../../src/cel/budget.ts";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { IMPLEMENTATIONS } from "../../../src/cel/library/table.ts";
import type { Value } from "../../../src/cel/values/value.ts";

/** Ints go in and come out as bigints, whatever the implementation takes; a failure comes out as its message. */
export function call(signature: string, ...operands: readonly Value[]): Value {
	const implementation = IMPLEMENTATIONS.get(signature);
	if (implementation === undefined) throw new Error(`${signature} is not implemented`);
	const invoke = implementation.call as (...operands: readonly Value[]) => Value;
	const isSmall = implementation.smallInts === true;
	const given = isSmall
		? operands.map((operand) => (typeof operand === "bigint" ? Number(operand) : operand))
		: operands;
	const result = outcome(() => invoke(...given));
	return isSmall && typeof result === "number" && signature.endsWith("-> int")
		? BigInt(result)
		: result;
}

/** The result, or the message of a failure. */
export function outcome<T>(work: () => T): T | string {
	try {
		return work();
	} catch (error) {
		if (error instanceof EvaluationFailure) return `failure: ${error.message}`;
		throw error;
	}
}

/** Nanoseconds charged by `work`. */
export function charged(work: () => unknown): number {
	const before = BUDGET.left;
	BUDGET.left = Number.MAX_SAFE_INTEGER;
	try {
		outcome(work);
		return Number.MAX_SAFE_INTEGER - BUDGET.left;
	} finally {
		BUDGET.left = before;
	}
}

/** Does `work` end because it is not paid for? */
export function endsWithin(nanoseconds: number, work: () => unknown): boolean {
	const before = BUDGET.left;
	BUDGET.left = nanoseconds;
	try {
		work();
		return true;
	} catch (error) {
		if (error instanceof OutOfBudget) return false;
		throw error;
	} finally {
		BUDGET.left = before;
	}
}
