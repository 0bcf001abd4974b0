/**
 * The shape of the function library: one implementation for each signature of `declarations.ts`. The
 * checker has chosen the overload by the types it knows; for operands of type dyn `dispatch.ts` chooses
 * when evaluated. Each file of this folder exports such a table; `table.ts` joins them.
 */
import type { Value } from "../values/value.ts";

export interface Implementation {
	/**
	 * Hot. Takes the operands in the order of the signature, the receiver first, as values of its
	 * types. @throws EvaluationFailure, or OutOfBudget after `charge`
	 */
	readonly call: (...operands: never[]) => Value;
	/**
	 * Do int parameters and results travel as numbers instead of bigints? For functions whose ints are
	 * sizes, indices and fields of times. A parameter beyond 2⁵³ arrives rounded, which must make no
	 * difference; a result lies between −2⁵³ and 2⁵³ (`resultMax` tells how far).
	 */
	readonly smallInts?: true;
	/** of a result that travels as a number; the smallest is −1 */
	readonly resultMax?: number;
	/** may it throw an EvaluationFailure for operands of its types? */
	readonly fails: boolean;
	/**
	 * Upper bound of what a call takes, in nanoseconds, from the sizes of its operands (`Size`: characters of
	 * texts, bytes, elements of lists and maps; 1 for the rest). Default: 50.
	 */
	readonly cost?: (...sizes: readonly number[]) => number;
	/**
	 * The part of `cost` that the function does not charge itself, whatever its operands: whoever calls it in a
	 * loop charges it. Default: `cost` of operands of size 0.
	 */
	readonly base?: number;
	/** Upper bound of the result's size; default: the largest of the operands' sizes. */
	readonly resultSize?: (...sizes: readonly number[]) => number;
}

/** nanoseconds of a function that says nothing else */
const CALL = 50;

/** Nanoseconds that are charged for a call, besides what the function charges itself. */
export function baseCost({ base, cost }: Implementation, operands: number): number {
	return base ?? cost?.(...new Array<number>(operands).fill(0)) ?? CALL;
}

/** By signature, exactly as written in `declarations.ts`. */
export type Implementations = Readonly<Record<string, Implementation>>;
