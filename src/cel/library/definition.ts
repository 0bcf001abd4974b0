/**
 * The shape of the table of functions: a function is one definition, which says all that weir knows of it. Each
 * file of this folder that exports definitions holds a family of functions; `table.ts` joins them. The checker takes
 * signatures from the definitions (`check/declarations.ts`), lowering and `dispatch.ts` what to call, the estimate
 * of costs how long a call takes and how large its result is (`cost/functions.ts`), the folding of constants what
 * asks for chance (`lower/closed.ts`), and docs/expressions.md its text.
 */
import type { Estimate } from "../cost/estimates.ts";
import type { Value } from "../values/value.ts";

/** What is called for one signature of a function. */
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
	 * texts, bytes, elements of lists and maps; 1 for the rest). Default: `CALL_NS`.
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
export const CALL_NS = 50;

/** Nanoseconds that are charged for a call, besides what the function charges itself. */
export function baseCost({ base, cost }: Implementation, operands: number): number {
	return base ?? cost?.(...new Array<number>(operands).fill(0)) ?? CALL_NS;
}

/** In place of an implementation: the checker or lowering puts something else where the call was. */
export const REPLACED = "replaced";

/**
 * By signature: `string.contains(string) -> bool` is a method, `size(list<A>) -> int` a function; single capitals
 * stand for types (`check/signatures.ts`). Where the checker cannot decide, the first that fits is called.
 */
export type Overloads = Readonly<Record<string, Implementation | typeof REPLACED>>;

/** An expression and its value, itself written as an expression. */
export type Example = readonly [expression: string, value: string];

/** A function that stands for a look-up in a variable that has a list for every name. */
export interface LookUp {
	readonly variable: string;
	/** the list; whether the name is there; or what the function named here makes of the list */
	readonly yields: "list" | "presence" | "@firstCookie" | "@firstSetCookie";
}

/** What a literal operand has to be, which is judged when the expression is written. */
export type LiteralKind = "address" | "pattern" | "ranges";

/** How lowering calls a function other than by its implementation, where the operands allow it (`lower/calls.ts`). */
export type Preparation =
	| "first_cookie"
	| "first_set_cookie"
	| "length"
	| "pattern"
	| "ranges"
	| "text_ends"
	| "text_includes"
	| "text_starts";

export interface FunctionDefinition {
	/** as expressions name it, with its namespace; with an `@` if only the checker and macros call it */
	readonly name: string;
	/** one or two sentences for docs/expressions.md */
	readonly doc: string;
	/** at least one, unless only the checker and macros call the function */
	readonly examples: readonly Example[];
	readonly overloads: Overloads;
	/** does it yield something else each time? */
	readonly asksForChance?: true;
	/** of a result whose type has nulls: can it never be null? */
	readonly neverNull?: true;
	/** for results of which their size alone says too little */
	readonly estimate?: Estimate;
	readonly standsFor?: LookUp;
	/** by operand, the receiver first */
	readonly literals?: readonly (LiteralKind | undefined)[];
	readonly prepared?: Preparation;
}
