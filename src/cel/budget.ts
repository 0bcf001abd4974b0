/**
 * What the evaluation in progress may still spend, in nanoseconds as `cost.ts` estimates them. Loops and
 * functions whose work grows with their operands charge before they work, so that an evaluation never
 * exceeds its budget by more than one bounded step. Evaluations are synchronous and never overlap, so
 * there is one budget. `evaluation.ts` sets it; an expression that is cheap whatever it is given has none.
 */

/** Thrown by `charge`. No operator absorbs it. */
export class OutOfBudget {
	readonly message = "the evaluation takes too long";
}
const OUT_OF_BUDGET = new OutOfBudget();

/** One object, so that lowered code and the library see the same number. */
export const BUDGET = { left: Number.POSITIVE_INFINITY };

/** Hot. @throws OutOfBudget */
export function charge(nanoseconds: number): void {
	BUDGET.left -= nanoseconds;
	if (BUDGET.left < 0) throw OUT_OF_BUDGET;
}
