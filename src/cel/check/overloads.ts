/**
 * Which overloads of a function take operands of given types, and what the call then yields (CEL
 * specification, "Type Checking"). Called by `operations.ts`.
 */

import { overloadsFor } from "./declarations.ts";
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

export interface Resolution {
	/** dyn if several overloads fit and yield different types */
	readonly type: Type;
	/** the overloads that fit: at least one */
	readonly overloads: readonly Overload[];
}

/**
 * @param operands types of the operands, the receiver's first; fitting overloads bind their type variables
 * @returns undefined if no overload fits
 */
export function resolveOverloads(
	unifier: Unifier,
	name: string,
	isMethod: boolean,
	operands: readonly Type[],
): Resolution | undefined {
	let overloads: readonly Overload[] | undefined;
	let result: Type | undefined;
	for (const overload of overloadsFor(name, isMethod, operands.length)) {
		const type = resultOf(unifier, overload, operands);
		if (type === undefined) continue;
		overloads = overloads === undefined ? overload.alone : [...overloads, overload];
		result = result === undefined || sameType(result, type) ? type : DYN;
	}
	if (overloads === undefined || result === undefined) return undefined;
	// the result of an operand that was refused is not judged again
	return { type: operands.includes(ERROR) ? ERROR : result, overloads };
}

/** Undefined, with nothing bound, if the operands don't fit. */
function resultOf(
	unifier: Unifier,
	{ parameters, result, typeParameters }: Overload,
	operands: readonly Type[],
): Type | undefined {
	for (let at = 0; at < parameters.length; at++) {
		const parameter = parameters[at];
		const type = operands[at];
		if (parameter && type && !mayFit(parameter, resolve(type))) return undefined;
	}
	const mark = unifier.mark;
	const fresh: TypeVariable[] = [];
	for (let at = 0; at < parameters.length; at++) {
		const parameter = parameters[at] ?? DYN;
		const wanted = typeParameters === 0 ? parameter : instantiate(parameter, fresh);
		if (unifier.assign(wanted, operands[at] ?? DYN)) continue;
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
