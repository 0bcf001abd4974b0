/**
 * Generated sources, run by the project and by the oracle. The project lowers an expression in two ways,
 * with its work counted and without; both have to yield the same.
 */
import type { Attributes } from "../../src/cel/attributes.ts";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import type { Fault } from "../../src/cel/problem.ts";
import { compileExpression } from "./compiled.ts";
import { planOracle } from "./oracle/evaluate.ts";
import { described } from "./values.ts";

/** A described value, or `failure: …`. */
export type Run = (attributes: Attributes) => string;

/** The faults of a source that is refused. */
export function runOf(source: string): Run | readonly Fault[] {
	const free = compileExpression(source, "outbound", () => undefined, false);
	const metered = compileExpression(source, "outbound", () => undefined, true);
	if (!free.ok) return free.error;
	if (!metered.ok) return metered.error;
	return (attributes) => {
		const result = resultText(free.value.evaluate(attributes));
		const counted = resultText(metered.value.evaluate(attributes));
		if (isTooLong(counted) || agree(result, counted)) return result;
		return `different when counted: ${result} and ${counted}`;
	};
}

const resultText = (value: unknown): string =>
	value instanceof EvaluationFailure ? failureText(value.message) : described(value);

/** What the engine says of code that is wrong; no expression may come to it. */
const MISTAKE =
	/is not a function|is not defined|is not iterable|Cannot (?:read|mix|convert|access)|of undefined|not supported|before initialization|Invalid (?:array|count)/;

const failureText = (message: string): string =>
	MISTAKE.test(message) ? `mistake: ${message}` : `failure: ${message}`;

/** What the library's parser refuses yields `refused: …`. */
export function oracleRunOf(source: string): Run {
	try {
		return planOracle(source);
	} catch (error) {
		return () => `refused: ${error}`;
	}
}

export const isFailure = (result: string): boolean => result.startsWith("failure: ");

export const isTooLong = (result: string): boolean =>
	isFailure(result) && result.includes("takes too long");

/** Messages may differ. */
export const agree = (ours: string, oracle: string): boolean =>
	ours === oracle || (isFailure(ours) && isFailure(oracle));
