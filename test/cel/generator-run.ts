/** Generated sources, run by the project and by the oracle. */
import type { Attributes } from "../../src/cel/attributes.ts";
import { compileExpression } from "./compiled.ts";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import type { Fault } from "../../src/cel/problem.ts";
import { planOracle } from "./oracle/evaluate.ts";
import { described } from "./values.ts";

/** A described value, or `failure: …`. */
export type Run = (attributes: Attributes) => string;

/** The faults of a source that is refused. */
export function runOf(source: string): Run | readonly Fault[] {
	const compiled = compileExpression(source, "outbound", () => undefined);
	if (!compiled.ok) return compiled.error;
	const { evaluate } = compiled.value;
	return (attributes) => {
		const value = evaluate(attributes);
		return value instanceof EvaluationFailure ? `failure: ${value.message}` : described(value);
	};
}

/** What the library's parser refuses yields `refused: …`. */
export function oracleRunOf(source: string): Run {
	try {
		return planOracle(source);
	} catch (error) {
		return () => `refused: ${error}`;
	}
}

export const isFailure = (result: string): boolean => result.startsWith("failure: ");

/** Messages may differ. */
export const agree = (ours: string, oracle: string): boolean =>
	ours === oracle || (isFailure(ours) && isFailure(oracle));
