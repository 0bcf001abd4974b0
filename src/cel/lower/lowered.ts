/**
 * The result of lowering one node of a checked tree: JavaScript code, and the facts known about its value. All
 * files of this folder use it.
 *
 * The code has no side effect except that it may throw. So it may be evaluated earlier or later than its place in
 * the expression, but never twice (`Lowering.bound`), and never where the expression would not be evaluated.
 */
import { resolve, type Type } from "../check/types.ts";
import type { Value } from "../values/value.ts";

/** Whole numbers that an int provably lies between. */
export interface IntRange {
	readonly min: number;
	readonly max: number;
}

export interface Lowered {
	/** an expression of JavaScript, in brackets where its place could matter */
	readonly code: string;
	readonly type: Type;
	/** set: an int that travels as a number, because it provably fits; else ints are bigints */
	readonly range?: IntRange | undefined;
	/** may it throw an EvaluationFailure? */
	readonly fails: boolean;
	/** set if the value is known: ints as bigints */
	readonly constant?: { readonly value: Value } | undefined;
}

const SAFE: IntRange = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

export const fits = ({ min, max }: IntRange): boolean => min >= SAFE.min && max <= SAFE.max;

export const kindOf = (lowered: Lowered): Type["kind"] => resolve(lowered.type).kind;

/** The code of a `Value`: for places where ints must be bigints, such as lists, maps and calls. */
export function boxed({ code, range, constant }: Lowered): string {
	if (range === undefined) return code;
	return typeof constant?.value === "bigint" ? `${constant.value}n` : `BigInt(${code})`;
}

/** An int as a number, rounded beyond 2⁵³, for callers that allow it. Doubles are numbers already. */
export const asNumber = (lowered: Lowered): string =>
	lowered.range === undefined && kindOf(lowered) === "int"
		? `Number(${lowered.code})`
		: lowered.code;

/** A number as it may stand anywhere in code. */
export const numberCode = (value: number): string => (value < 0 ? `(${value})` : String(value));

/** Is it nothing but a name or a number, so that repeating it costs nothing? */
export const isSimple = (code: string): boolean => /^[\w$]+$/.test(code);
