/**
 * The failure of an operator or function that does not take operands of the types that they have at run time.
 * The checker refuses operands whose types it knows, so this concerns operands of type dyn.
 */
import { EvaluationFailure } from "../expression.ts";
import { typeOf } from "./types.ts";
import type { Value } from "./value.ts";

const names = (operands: readonly Value[]): string[] =>
	operands.map((operand) => typeOf(operand).name);

/** e.g. `no matching overload for int + string`, `no matching overload for -bool` */
export function noOperator(symbol: string, ...operands: readonly Value[]): EvaluationFailure {
	const [first = "", second] = names(operands);
	const written = second === undefined ? `${symbol}${first}` : `${first} ${symbol} ${second}`;
	return new EvaluationFailure(`no matching overload for ${written}`);
}

/** e.g. `no matching overload for size(int)` */
export const noFunction = (name: string, operands: readonly Value[]): EvaluationFailure =>
	new EvaluationFailure(`no matching overload for ${name}(${names(operands).join(", ")})`);
