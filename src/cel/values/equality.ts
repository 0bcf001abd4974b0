/**
 * `==` for operands that the checker does not know to have the same simple type. Ints, uints and doubles are equal
 * if they are the same number; other values of different kinds are not equal (CEL specification, "Equality").
 * Called by lowered expressions, by `in` and by the function library.
 */
import { charge } from "../budget.ts";
import { isList } from "./types.ts";
import { Duration, Optional, Timestamp, TypeValue, Uint, type Value, ValueMap } from "./value.ts";

/** Nanoseconds for an element of a list and an entry of a map, beside the values in it. */
const ELEMENT_NS = 30;
const ENTRY_NS = 150;
/** for a character or byte; a text put together of others is copied before it is compared */
const UNIT_NS = 0.5;
/** characters or bytes beyond which comparing costs more than the call */
const UNCOUNTED_UNITS = 64;

/** Hot. NaN equals nothing, itself included. @throws OutOfBudget */
export function equals(a: Value, b: Value): boolean {
	if (typeof a === "string") return typeof b === "string" && textEquals(a, b);
	if (typeof a === "number" || typeof a === "bigint") return numberEquals(a, b);
	if (typeof a !== "object" || a === null) return a === b;
	if (a instanceof Uint) return numberEquals(a.value, b);
	if (isList(a)) return isList(b) && listEquals(a, b);
	if (a instanceof ValueMap) return b instanceof ValueMap && mapEquals(a, b);
	if (a instanceof Uint8Array) return b instanceof Uint8Array && bytesEqual(a, b);
	if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
	if (a instanceof Optional) return b instanceof Optional && optionalEquals(a, b);
	if (a instanceof Timestamp) return b instanceof Timestamp && timeEquals(a, b);
	return b instanceof Duration && timeEquals(a, b);
}

function textEquals(a: string, b: string): boolean {
	if (a.length !== b.length) return false;
	if (a.length > UNCOUNTED_UNITS) charge(a.length * UNIT_NS);
	return a === b;
}

function numberEquals(a: number | bigint, b: Value): boolean {
	const other = b instanceof Uint ? b.value : b;
	if (typeof other !== "number" && typeof other !== "bigint") return false;
	// JavaScript orders bigints and numbers exactly, as they are in mathematics
	return typeof a === typeof other ? a === other : a <= other && a >= other;
}

export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
	if (a.length !== b.length) return false;
	if (a.length > UNCOUNTED_UNITS) charge(a.length * UNIT_NS);
	return Buffer.compare(a, b) === 0;
}

/** Of timestamps, or of durations. */
const timeEquals = <T extends Timestamp | Duration>(a: T, b: T): boolean =>
	a.seconds === b.seconds && a.nanos === b.nanos;

function listEquals(a: readonly Value[], b: readonly Value[]): boolean {
	if (a.length !== b.length) return false;
	charge(a.length * ELEMENT_NS);
	return a.every((element, index) => {
		const other = b[index];
		return other !== undefined && equals(element, other);
	});
}

function mapEquals(a: ValueMap, b: ValueMap): boolean {
	if (a.size !== b.size) return false;
	charge(a.size * ENTRY_NS);
	return a.keys().every((key) => {
		if (!b.has(key)) return false;
		const [value, other] = [a.get(key), b.get(key)];
		return value !== undefined && other !== undefined && equals(value, other);
	});
}

function optionalEquals(a: Optional, b: Optional): boolean {
	if (a.value === undefined || b.value === undefined) return a.value === b.value;
	return equals(a.value, b.value);
}
