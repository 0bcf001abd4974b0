/**
 * Conversions that can fail, and those of texts: numbers, bools, bytes and durations (CEL specification, "Standard
 * Definitions"). Called through the definitions in `conversions.ts`.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { DURATION_CHARACTERS, parseDuration } from "../values/duration.ts";
import { INT_MAX, INT_MIN, UINT_MAX } from "../values/integers.ts";
import { type Duration, Uint } from "../values/value.ts";

const TWO_63 = 2 ** 63;
const TWO_64 = 2 ** 64;

const outOfRange = (value: bigint | number, type: string): EvaluationFailure =>
	new EvaluationFailure(`${value} is out of the range of ${type}`);

const QUOTED_CHARACTERS = 50;

const notText = (text: string, type: string): EvaluationFailure =>
	new EvaluationFailure(
		`${JSON.stringify(text.slice(0, QUOTED_CHARACTERS))} is not the text of ${type}`,
	);

export function uintToInt({ value }: Uint): bigint {
	if (value > INT_MAX) throw outOfRange(value, "int");
	return value;
}

/** Rounds towards zero; −2⁶³ itself is refused as the official cases ask. */
export function doubleToInt(value: number): bigint {
	if (!(value > -TWO_63 && value < TWO_63)) throw outOfRange(value, "int");
	return BigInt(Math.trunc(value));
}

export function textToInt(text: string): bigint {
	if (!/^[+-]?\d{1,25}$/.test(text)) throw notText(text, "an int");
	const value = BigInt(text.replace(/^\+/, ""));
	if (value > INT_MAX || value < INT_MIN) throw outOfRange(value, "int");
	return value;
}

export function intToUint(value: bigint): Uint {
	if (value < 0n) throw outOfRange(value, "uint");
	return new Uint(value);
}

/** Rounds down; what is below 0 is refused before it is rounded. */
export function doubleToUint(value: number): Uint {
	if (!(value >= 0 && value < TWO_64)) throw outOfRange(value, "uint");
	return new Uint(BigInt(Math.trunc(value)));
}

export function textToUint(text: string): Uint {
	if (!/^\+?\d{1,25}$/.test(text)) throw notText(text, "a uint");
	const value = BigInt(text.replace(/^\+/, ""));
	if (value > UINT_MAX) throw outOfRange(value, "uint");
	return new Uint(value);
}

const DOUBLE_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL = /^([+-]?)(?:(inf|infinity)|(nan))$/i;
/** Texts longer than any number are not looked at. */
const NUMBER_CHARACTERS = 400;

export function textToDouble(text: string): number {
	if (text.length > NUMBER_CHARACTERS) throw notText(text, "a double");
	if (DOUBLE_TEXT.test(text)) {
		const value = Number(text);
		if (!Number.isFinite(value))
			throw new EvaluationFailure(`${text} is out of the range of double`);
		return value;
	}
	const special = SPECIAL.exec(text);
	if (special === null) throw notText(text, "a double");
	if (special[3] !== undefined) return Number.NaN;
	return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function textToBool(text: string): boolean {
	switch (text) {
		case "true":
		case "True":
		case "TRUE":
		case "t":
		case "1":
			return true;
		case "false":
		case "False":
		case "FALSE":
		case "f":
		case "0":
			return false;
		default:
			throw notText(text, "a bool");
	}
}

const ENCODER = new TextEncoder();
/** Nanoseconds for a character, and for a byte of UTF-8. */
export const CODED_NS = 8;

export function textToBytes(text: string): Uint8Array {
	charge(text.length * CODED_NS);
	return ENCODER.encode(text);
}

/** of a duration as text, in which every other one may end a component */
export const DURATION_CHARACTER_NS = 150;

export function textToDuration(text: string): Duration {
	charge(Math.min(text.length, DURATION_CHARACTERS) * DURATION_CHARACTER_NS);
	return parseDuration(text);
}
