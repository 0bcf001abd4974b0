/**
 * The text of values that hold no other values: as `string()` yields it, and for types that `string()` does not
 * take as templates and JSON show it. Called by `text.ts`, `json-text.ts` and the conversions.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { boundedText } from "./concatenation.ts";
import { durationText } from "./duration.ts";
import { timestampText } from "./timestamp.ts";
import { typeOf } from "./types.ts";
import { Duration, Timestamp, TypeValue, Uint, type Value } from "./value.ts";

/** A type's text is its name. @throws EvaluationFailure for bytes that are no UTF-8, and for the rest */
export function scalarText(value: Value): string {
	if (typeof value === "string") return value;
	if (typeof value === "bigint" || typeof value === "boolean") return String(value);
	if (typeof value === "number") return doubleText(value);
	if (value instanceof Uint) return String(value.value);
	if (value instanceof Timestamp) return timestampText(value);
	if (value instanceof Duration) return durationText(value);
	if (value instanceof Uint8Array) return bytesText(value);
	if (value instanceof TypeValue) return value.name;
	throw new EvaluationFailure(`a ${typeOf(value).name} has no text`);
}

/** `1.0` is `1`, and infinities are `+Inf` and `-Inf`, as the reference implementation prints them. */
export function doubleText(value: number): string {
	if (value === Number.POSITIVE_INFINITY) return "+Inf";
	if (value === Number.NEGATIVE_INFINITY) return "-Inf";
	return Object.is(value, -0) ? "-0" : String(value);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Nanoseconds for a byte that is no ASCII. */
const BYTE_NS = 8;
/** the price of a call, which its cost includes */
const UNCOUNTED_BYTES = 16;

/** @throws EvaluationFailure for bytes that are no UTF-8, OutOfBudget */
export function bytesText(bytes: Uint8Array): string {
	boundedText(bytes.length);
	if (bytes.length > UNCOUNTED_BYTES) charge(bytes.length * BYTE_NS);
	try {
		return utf8.decode(bytes);
	} catch {
		throw new EvaluationFailure("bytes that are not the UTF-8 of a text");
	}
}
