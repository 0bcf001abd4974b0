/**
 * What calls of library functions take, and how large their results are, as their definitions say (`library/`).
 * Called by `cost/walk.ts`.
 */
import type { Overload } from "../check/signatures.ts";
import { resolve, type Type } from "../check/types.ts";
import { CALL_NS } from "../library/definition.ts";
import { FUNCTIONS, IMPLEMENTATIONS } from "../library/table.ts";
import {
	isPatternFault,
	matchCost,
	type PatternFault,
	type PatternProgram,
} from "../pattern/pattern.ts";
import { type Bound, either, sum } from "./bound.ts";
import { applied } from "./majorant.ts";
import { countOf, type Part } from "./part.ts";
import { SCALAR, type Size, sized, tree, weight } from "./size.ts";
import { DISPATCH, NODE } from "./table.ts";

/**
 * @param overloads those that may be called @param operands the receiver first
 * @param ints the operands that are int literals, by their places
 */
export function functionCall(
	name: string,
	overloads: readonly Overload[],
	operands: readonly Size[],
	type: Type,
	ints: readonly (number | undefined)[] = [],
): Part {
	const counts = operands.map(countOf);
	let cost: Bound = 0;
	for (const { signature } of overloads) {
		const own = IMPLEMENTATIONS.get(signature)?.cost;
		cost = either(cost, own === undefined ? CALL_NS : applied(own, counts));
	}
	const estimated = FUNCTIONS.get(name)?.estimate?.(operands, cost, ints);
	return {
		// a choice may be left to be made even where there is one overload, which null does not fit
		cost: sum(NODE + DISPATCH, estimated?.cost ?? cost),
		size: estimated?.size ?? resultOf(type, overloads, operands, counts),
	};
}

/** A search for a pattern that was written, and is valid therefore. */
export function patternCost(program: PatternProgram | PatternFault, text: Size): Bound {
	if (isPatternFault(program)) return 0;
	return applied((characters = 0) => matchCost(program, characters), [countOf(text)]);
}

const PLAIN: ReadonlySet<Type["kind"]> = new Set([
	"bool",
	"double",
	"duration",
	"int",
	"null_type",
	"timestamp",
	"type",
	"uint",
]);

/** Of results that hold others, nothing is known but that these come from the operands. */
function resultOf(
	type: Type,
	overloads: readonly Overload[],
	operands: readonly Size[],
	counts: readonly Bound[],
): Size {
	const { kind } = resolve(type);
	if (PLAIN.has(kind)) return SCALAR;
	let count: Bound = 1;
	for (const { signature } of overloads) {
		const makes = IMPLEMENTATIONS.get(signature)?.resultSize;
		const own = makes === undefined ? counts.reduce(either, 1) : applied(makes, counts);
		count = either(count, own);
	}
	if (kind === "string" || kind === "bytes") return sized(count);
	const everything = sum(count, ...operands.map(weight));
	return tree(everything, everything);
}
