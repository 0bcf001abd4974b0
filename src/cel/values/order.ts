/**
 * `<` and its like for operands that the checker does not know to have the same simple type: one three-way
 * comparison, whose sign lowered expressions test. The functions that sort lists call it too.
 */
import { charge } from "../budget.ts";
import { noOperator } from "./no-overload.ts";
import { Duration, Timestamp, Uint, type Value } from "./value.ts";

/** Nanoseconds for a character of two texts that JavaScript compares, and that are compared one by one here. */
const CHARACTER_NS = 1;
const UNIT_NS = 8;
const BYTE_NS = 0.1;
/** characters or bytes beyond which comparing costs more than the call */
const UNCOUNTED_UNITS = 64;

/**
 * −1, 0 or 1; NaN if one of two numbers is NaN, so that every test of the sign is false.
 * @throws EvaluationFailure for kinds without an order, OutOfBudget
 */
export function compare(a: Value, b: Value): number {
	if (typeof a === "string" && typeof b === "string") return compareText(a, b);
	const [left, right] = [numberOf(a), numberOf(b)];
	if (left !== undefined && right !== undefined) return compareNumbers(left, right);
	if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
	if (a instanceof Timestamp && b instanceof Timestamp) return compareTimes(a, b);
	if (a instanceof Duration && b instanceof Duration) return compareTimes(a, b);
	if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
	throw noOperator("<", a, b);
}

function numberOf(value: Value): number | bigint | undefined {
	if (typeof value === "number" || typeof value === "bigint") return value;
	return value instanceof Uint ? value.value : undefined;
}

/**
 * Ints and uints exactly; beside a double they are doubles, as the official cases have it: 2⁶³ − 1 is not
 * less than the double 2⁶³, though not equal to it either.
 */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
	if (typeof a !== typeof b) return compareNumbers(Number(a), Number(b));
	if (a < b) return -1;
	if (a > b) return 1;
	return a >= b ? 0 : Number.NaN;
}

/** From here on units and code points are in different orders. */
const HIGH_UNIT = /[\ud800-\uffff]/;

/** Hot. By code points; `<` of JavaScript would have U+10000 and beyond before U+E000. @throws OutOfBudget */
export function compareText(a: string, b: string): number {
	if (a.length + b.length > UNCOUNTED_UNITS) charge((a.length + b.length) * CHARACTER_NS);
	if (a === b) return 0;
	if (HIGH_UNIT.test(a) && HIGH_UNIT.test(b)) return compareUnits(a, b);
	return a < b ? -1 : 1;
}

function compareUnits(a: string, b: string): number {
	const length = Math.min(a.length, b.length);
	charge(length * UNIT_NS);
	for (let unit = 0; unit < length; unit++) {
		const [left, right] = [a.charCodeAt(unit), b.charCodeAt(unit)];
		if (left !== right) return rank(left) < rank(right) ? -1 : 1;
	}
	return Math.sign(a.length - b.length);
}

/** Where a unit stands: surrogates, of which characters from U+10000 are made, after all others. */
function rank(unit: number): number {
	if (unit < 0xd800) return unit;
	return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
	const length = Math.min(a.length, b.length);
	if (length > UNCOUNTED_UNITS) charge(length * BYTE_NS);
	return Buffer.compare(a, b);
}

/** Of timestamps, or of durations. */
const compareTimes = <T extends Timestamp | Duration>(a: T, b: T): number =>
	Math.sign(a.seconds - b.seconds || a.nanos - b.nanos);
