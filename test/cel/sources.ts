/** Short cuts for the tests of this room: from a source to its type, its value or its faults. */

import { typeName } from "../../src/cel/check/types.ts";
import { EvaluationFailure, type Phase } from "../../src/cel/expression.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { compileExpression } from "./compiled.ts";
import { described } from "./values.ts";

const compiled = (source: string, phase: Phase) =>
	compileExpression(source, phase, () => undefined);

/** The type's name, or the codes of what is wrong. */
export function typeOf(source: string, phase: Phase = "outbound"): string {
	const result = compiled(source, phase);
	return result.ok ? typeName(result.value.type) : result.error.map(({ code }) => code).join(", ");
}

export function faultsOf(source: string, phase: Phase = "outbound"): readonly string[] {
	const result = compiled(source, phase);
	return result.ok ? [] : result.error.map(({ offset, message }) => `${offset}: ${message}`);
}

/** The value as text, `failure: …`, or `refused: …`. @param isMetered lowered as expensive expressions are */
export function resultOf(source: string, attributes = ATTRIBUTES, isMetered?: boolean): string {
	const result = compileExpression(source, "outbound", () => undefined, isMetered);
	if (!result.ok) return `refused: ${result.error.map(({ message }) => message).join("; ")}`;
	const value = result.value.evaluate(attributes);
	return value instanceof EvaluationFailure ? `failure: ${value.message}` : described(value);
}
