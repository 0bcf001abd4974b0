/**
 * Counts what an evaluation does, so that no expression holds up a worker: one step for each element
 * visited or made (`LIMITS.evaluationSteps`). Evaluations are synchronous and never overlap, so there is
 * one count. `compile.ts` starts it, the functions take from it.
 */

let left = 0;

export class OutOfSteps extends Error {}

export function startSteps(steps: number): void {
	left = steps;
}

/** Hot. Throws, which the library makes a failure of the call, when the evaluation has taken its steps. */
export function takeSteps(steps: number): void {
	left -= steps;
	if (left < 0) throw new OutOfSteps("the evaluation takes too many steps");
}

/** A failure in `a || b` may be absorbed; that the steps ran out must not be. */
export const ranOutOfSteps = (): boolean => left < 0;
