/**
 * The time that the evaluation in progress may still spend, in nanoseconds as `cost/` estimates them. Loops
 * and functions whose work grows with their operands charge before they work, so an evaluation exceeds its
 * budget by one bounded step at most. Evaluations are synchronous and never overlap, so there is one budget.
 * `evaluation.ts` sets it: in the event loop to the time that a request may take there. In a thread the clock
 * decides instead of the estimate, and charges only say when to look at the clock.
 */
import { LIMITS } from "../limits/limits.ts";

/** Thrown by `charge`. No operator absorbs it. */
export class OutOfBudget {
	readonly message = "the evaluation takes too long";
}
const OUT_OF_BUDGET = new OutOfBudget();

/** May what runs in a thread go on? Asked now and then. */
export type GoesOn = () => boolean;

/** One object, so that lowered code and the library see the same number. */
export const BUDGET: { left: number; goesOn: GoesOn | undefined } = {
	left: Number.POSITIVE_INFINITY,
	goesOn: undefined,
};

/** Hot. @throws OutOfBudget */
export function charge(nanoseconds: number): void {
	BUDGET.left -= nanoseconds;
	if (BUDGET.left < 0) spent();
}

function spent(): void {
	if (BUDGET.goesOn?.() !== true) throw OUT_OF_BUDGET;
	BUDGET.left = LIMITS.heavyPollNanoseconds;
}
