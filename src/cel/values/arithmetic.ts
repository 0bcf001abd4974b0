/**
 * `+ - * / %` and negation of operands whose types the checker does not know: picks CEL's overload by the
 * values, of which none mixes kinds of numbers. Called by lowered expressions.
 */

import { addBytes, addLists, addText } from "./concatenation.ts";
import { addDurations, subtractDurations } from "./duration.ts";
import {
	addInt,
	addUint,
	divideInt,
	divideUint,
	moduloInt,
	moduloUint,
	multiplyInt,
	multiplyUint,
	negateInt,
	subtractInt,
	subtractUint,
} from "./integers.ts";
import { noOperator } from "./no-overload.ts";
import { addDuration, subtractDuration, timeBetween } from "./timestamp.ts";
import { isList } from "./types.ts";
import { Duration, Timestamp, Uint, type Value } from "./value.ts";

/** All of these: @throws EvaluationFailure out of range or without an overload */
export function add(a: Value, b: Value): Value {
	if (typeof a === "bigint" && typeof b === "bigint") return addInt(a, b);
	if (typeof a === "number" && typeof b === "number") return a + b;
	if (typeof a === "string" && typeof b === "string") return addText(a, b);
	if (a instanceof Uint && b instanceof Uint) return addUint(a, b);
	if (isList(a) && isList(b)) return addLists(a, b);
	if (a instanceof Timestamp && b instanceof Duration) return addDuration(a, b);
	if (a instanceof Duration && b instanceof Timestamp) return addDuration(b, a);
	if (a instanceof Duration && b instanceof Duration) return addDurations(a, b);
	if (a instanceof Uint8Array && b instanceof Uint8Array) return addBytes(a, b);
	throw noOperator("+", a, b);
}

export function subtract(a: Value, b: Value): Value {
	if (typeof a === "bigint" && typeof b === "bigint") return subtractInt(a, b);
	if (typeof a === "number" && typeof b === "number") return a - b;
	if (a instanceof Uint && b instanceof Uint) return subtractUint(a, b);
	if (a instanceof Timestamp && b instanceof Timestamp) return timeBetween(a, b);
	if (a instanceof Timestamp && b instanceof Duration) return subtractDuration(a, b);
	if (a instanceof Duration && b instanceof Duration) return subtractDurations(a, b);
	throw noOperator("-", a, b);
}

export function multiply(a: Value, b: Value): Value {
	if (typeof a === "bigint" && typeof b === "bigint") return multiplyInt(a, b);
	if (typeof a === "number" && typeof b === "number") return a * b;
	if (a instanceof Uint && b instanceof Uint) return multiplyUint(a, b);
	throw noOperator("*", a, b);
}

export function divide(a: Value, b: Value): Value {
	if (typeof a === "bigint" && typeof b === "bigint") return divideInt(a, b);
	if (typeof a === "number" && typeof b === "number") return a / b;
	if (a instanceof Uint && b instanceof Uint) return divideUint(a, b);
	throw noOperator("/", a, b);
}

export function modulo(a: Value, b: Value): Value {
	if (typeof a === "bigint" && typeof b === "bigint") return moduloInt(a, b);
	if (a instanceof Uint && b instanceof Uint) return moduloUint(a, b);
	throw noOperator("%", a, b);
}

export function negate(a: Value): Value {
	if (typeof a === "bigint") return negateInt(a);
	if (typeof a === "number") return -a;
	throw noOperator("-", a);
}
