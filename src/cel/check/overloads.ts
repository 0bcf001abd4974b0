/**
 * Which overloads of a function take the operands of a call, and what the call then yields (CEL
 * specification, "Type Checking"). Called by `calls.ts` and `replacements.ts`.
 */

import type { Node } from "../tree/syntax.ts";
import { overloadsFor } from "./declarations.ts";
import type { Scope } from "./scope.ts";
import type { Overload } from "./signatures.ts";
import {
	DYN,
	ERROR,
	isNullable,
	resolve,
	sameType,
	type Type,
	type TypeVariable,
} from "./types.ts";
import { instantiate, type Unifier } from "./unify.ts";

/**
 * Sets the type and the overloads of a call: dyn if several fit and differ in what they yield.
 * @param operands checked, the receiver first
 * @returns whether any fits
 */
export function resolveOverloads(
	scope: Scope,
	node: Node,
	name: string,
	isMethod: boolean,
	operands: readonly Node[],
): boolean {
	let fitting: readonly Overload[] | undefined;
	let result: Type | undefined;
	for (const overload of overloadsFor(name, isMethod, operands.length)) {
		const type = resultOf(scope.unifier, overload, operands);
		if (type === undefined) continue;
		fitting = fitting === undefined ? overload.alone : [...fitting, overload];
		result = result === undefined || sameType(result, type) ? type : DYN;
	}
	if (fitting === undefined || result === undefined) return false;
	// what comes of something refused is not judged again
	node.type = operands.some(({ type }) => type === ERROR) ? ERROR : result;
	node.overloads = fitting;
	return true;
}

/** Undefined, with nothing bound, if the operands don't fit. */
function resultOf(
	unifier: Unifier,
	{ parameters, result, typeParameters }: Overload,
	operands: readonly Node[],
): Type | undefined {
	for (let at = 0; at < parameters.length; at++) {
		const parameter = parameters[at];
		const type = operands[at]?.type;
		if (parameter && type && !mayFit(parameter, resolve(type))) return undefined;
	}
	const mark = unifier.mark;
	const fresh: TypeVariable[] = [];
	for (let at = 0; at < parameters.length; at++) {
		const parameter = parameters[at] ?? DYN;
		const wanted = typeParameters === 0 ? parameter : instantiate(parameter, fresh);
		if (unifier.assign(wanted, operands[at]?.type ?? DYN)) continue;
		unifier.undo(mark);
		return undefined;
	}
	return typeParameters === 0 ? result : instantiate(result, fresh);
}

/** A look at the outermost kinds, which settles most cases before anything is bound. */
function mayFit(parameter: Type, type: Type): boolean {
	if (parameter.kind === type.kind) return true;
	switch (type.kind) {
		case "dyn":
		case "error":
		case "variable":
			return true;
		case "null_type":
			return parameter.kind === "variable" || parameter.kind === "dyn" || isNullable(parameter);
		default:
			return parameter.kind === "variable" || parameter.kind === "dyn";
	}
}
