/**
 * Arithmetic on int and uint: 64 bits, and a failure where the result does not fit (CEL specification,
 * "Overflow"). Called by lowered expressions where both types are known, and by `arithmetic.ts`.
 */
import { EvaluationFailure } from "../expression.ts";
import { Uint } from "./value.ts";

export const INT_MAX = 2n ** 63n - 1n;
export const INT_MIN = -(2n ** 63n);
export const UINT_MAX = 2n ** 64n - 1n;

const overflow = (type: "int" | "uint", a: bigint, symbol: string, b: bigint): EvaluationFailure =>
	new EvaluationFailure(`${type} overflow: ${a} ${symbol} ${b} does not fit into 64 bits`);

const byZero = (a: bigint, symbol: string): EvaluationFailure =>
	new EvaluationFailure(`division by zero: ${a} ${symbol} 0`);

export function addInt(a: bigint, b: bigint): bigint {
	const sum = a + b;
	if (sum > INT_MAX || sum < INT_MIN) throw overflow("int", a, "+", b);
	return sum;
}

export function subtractInt(a: bigint, b: bigint): bigint {
	const difference = a - b;
	if (difference > INT_MAX || difference < INT_MIN) throw overflow("int", a, "-", b);
	return difference;
}

export function multiplyInt(a: bigint, b: bigint): bigint {
	const product = a * b;
	if (product > INT_MAX || product < INT_MIN) throw overflow("int", a, "*", b);
	return product;
}

/** Rounds towards zero. */
export function divideInt(a: bigint, b: bigint): bigint {
	if (b === 0n) throw byZero(a, "/");
	const quotient = a / b;
	if (quotient > INT_MAX) throw overflow("int", a, "/", b);
	return quotient;
}

/** Has the sign of `a`. Fails where the quotient would not fit, too. */
export function moduloInt(a: bigint, b: bigint): bigint {
	if (b === 0n) throw byZero(a, "%");
	if (b === -1n && a === INT_MIN) throw overflow("int", a, "%", b);
	return a % b;
}

export function negateInt(a: bigint): bigint {
	if (a === INT_MIN) throw overflow("int", 0n, "-", a);
	return -a;
}

export function addUint(a: Uint, b: Uint): Uint {
	const sum = a.value + b.value;
	if (sum > UINT_MAX) throw overflow("uint", a.value, "+", b.value);
	return new Uint(sum);
}

export function subtractUint(a: Uint, b: Uint): Uint {
	if (a.value < b.value) throw overflow("uint", a.value, "-", b.value);
	return new Uint(a.value - b.value);
}

export function multiplyUint(a: Uint, b: Uint): Uint {
	const product = a.value * b.value;
	if (product > UINT_MAX) throw overflow("uint", a.value, "*", b.value);
	return new Uint(product);
}

export function divideUint(a: Uint, b: Uint): Uint {
	if (b.value === 0n) throw byZero(a.value, "/");
	return new Uint(a.value / b.value);
}

export function moduloUint(a: Uint, b: Uint): Uint {
	if (b.value === 0n) throw byZero(a.value, "%");
	return new Uint(a.value % b.value);
}
