/**
 * Whether an operator may fail, by what is known of its operands when an expression is compiled. Lowering and the
 * estimate of costs both ask the table of operators, so that what one takes for sure the other does too. Named by
 * the definitions of operators.
 */
import type { Type } from "../check/types.ts";

/** What is known of an operand. Its own failures are another matter. */
export interface Operand {
	readonly kind: Type["kind"];
	/** may it be null, although its type is another? */
	readonly mayBeNull: boolean;
	/** is it a variable that has a list for every name? */
	readonly hasEveryName: boolean;
}

export type MayFail = (operands: readonly Operand[]) => boolean;

export const never: MayFail = () => false;
export const always: MayFail = () => true;

export const unlessBools: MayFail = (operands) => operands.some(({ kind }) => kind !== "bool");
export const unlessConditionIsBool: MayFail = ([condition]) => condition?.kind !== "bool";

/** Doubles overflow to infinity; everything else has bounds, or is not defined for all operands. */
export const unlessDoubles: MayFail = (operands) => operands.some(({ kind }) => kind !== "double");

/** JavaScript compares ints and doubles in any pairing; NaN is in no relation. */
const COMPARED_AS_NUMBERS: ReadonlySet<Type["kind"]> = new Set(["int", "double"]);
const ORDERED: ReadonlySet<Type["kind"]> = new Set([
	"bool",
	"bytes",
	"duration",
	"string",
	"timestamp",
	"uint",
]);

export const unlessOrdered: MayFail = (operands) => {
	if (operands.every(({ kind }) => COMPARED_AS_NUMBERS.has(kind))) return false;
	const [first] = operands;
	return !operands.every(
		({ kind, mayBeNull }) => kind === first?.kind && ORDERED.has(kind) && !mayBeNull,
	);
};

/** A place may be outside of a list, a key missing in a map. */
export const unlessEveryName: MayFail = ([container, key]) =>
	container?.hasEveryName !== true || key?.kind !== "string";

export const unlessContainer: MayFail = ([, container]) =>
	container?.kind !== "list" && container?.kind !== "map";
