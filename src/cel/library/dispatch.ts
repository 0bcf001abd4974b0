/**
 * Calls whose overload is not known before the request: some operand is dyn. Lowered expressions hand over
 * the overloads that the checker left open; the one whose parameters take the operands is called.
 */
import { charge } from "../budget.ts";
import type { Overload } from "../check/signatures.ts";
import { resolve, type Type } from "../check/types.ts";
import { noFunction } from "../values/no-overload.ts";
import { isList } from "../values/types.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
	ValueMap,
} from "../values/value.ts";
import { baseCost } from "./definition.ts";
import { IMPLEMENTATIONS } from "./table.ts";

/**
 * @param name as written, for the message
 * @param overloads those that fit what is known of the operands' types
 * @param operands the receiver first; ints as bigints. An int result is a bigint
 * @throws EvaluationFailure if no overload takes them, and what the function throws
 */
export function dispatch(
	name: string,
	overloads: readonly Overload[],
	operands: readonly Value[],
): Value {
	for (const overload of overloads) {
		if (takes(overload.parameters, operands)) return callOverload(overload, operands);
	}
	throw noFunction(name, operands);
}

function callOverload(overload: Overload, operands: readonly Value[]): Value {
	const { signature, parameters, result } = overload;
	const implementation = IMPLEMENTATIONS.get(signature);
	if (implementation === undefined) throw new Error(`${signature} is declared and not implemented`);
	charge(baseCost(implementation, operands.length));
	const call = implementation.call as (...operands: readonly Value[]) => Value;
	if (!implementation.smallInts) return call(...operands);
	const value = call(
		...operands.map((operand, at) =>
			typeof operand === "bigint" && parameters[at]?.kind === "int" ? Number(operand) : operand,
		),
	);
	return result.kind === "int" && typeof value === "number" ? BigInt(value) : value;
}

function takes(parameters: readonly Type[], operands: readonly Value[]): boolean {
	return (
		parameters.length === operands.length &&
		parameters.every((parameter, at) => {
			const operand = operands[at];
			return operand !== undefined && fits(resolve(parameter), operand);
		})
	);
}

/** What lists, maps and optionals hold is not looked at: functions do that themselves, where it matters. */
function fits(parameter: Type, operand: Value): boolean {
	switch (parameter.kind) {
		case "dyn":
		case "error":
		case "variable":
			return true;
		case "string":
			return typeof operand === "string";
		case "int":
			return typeof operand === "bigint";
		case "double":
			return typeof operand === "number";
		case "bool":
			return typeof operand === "boolean";
		case "optional":
			return operand instanceof Optional;
		case "list":
			return isList(operand);
		case "map":
		case "record":
			return operand instanceof ValueMap;
		case "uint":
			return operand instanceof Uint;
		case "bytes":
			return operand instanceof Uint8Array;
		case "timestamp":
			return operand instanceof Timestamp;
		case "duration":
			return operand instanceof Duration;
		case "type":
			return operand instanceof TypeValue;
		case "null_type":
			return operand === null;
	}
}
