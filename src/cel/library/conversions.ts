/**
 * `int() uint() double() string() bytes() bool() timestamp() duration() dyn() type()` (CEL specification,
 * "Standard Definitions"). Joined by `table.ts`.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { DURATION_CHARACTERS, parseDuration } from "../values/duration.ts";
import { INT_MAX, INT_MIN, UINT_MAX } from "../values/integers.ts";
import { scalarText } from "../values/scalar-text.ts";
import { parseTimestamp, timestampOf } from "../values/timestamp.ts";
import { typeOf } from "../values/types.ts";
import { type Duration, type Timestamp, Uint, type Value } from "../values/value.ts";
import type { Implementation, Implementations } from "./implementation.ts";

const TWO_63 = 2 ** 63;
const TWO_64 = 2 ** 64;

const outOfRange = (value: bigint | number, type: string): EvaluationFailure =>
	new EvaluationFailure(`${value} is out of the range of ${type}`);

const QUOTED_CHARACTERS = 50;

const notText = (text: string, type: string): EvaluationFailure =>
	new EvaluationFailure(
		`${JSON.stringify(text.slice(0, QUOTED_CHARACTERS))} is not the text of ${type}`,
	);

function uintToInt({ value }: Uint): bigint {
	if (value > INT_MAX) throw outOfRange(value, "int");
	return value;
}

/** Rounds towards zero; −2⁶³ itself is refused as the official cases ask. */
function doubleToInt(value: number): bigint {
	if (!(value > -TWO_63 && value < TWO_63)) throw outOfRange(value, "int");
	return BigInt(Math.trunc(value));
}

function textToInt(text: string): bigint {
	if (!/^[+-]?\d{1,25}$/.test(text)) throw notText(text, "an int");
	const value = BigInt(text.replace(/^\+/, ""));
	if (value > INT_MAX || value < INT_MIN) throw outOfRange(value, "int");
	return value;
}

function intToUint(value: bigint): Uint {
	if (value < 0n) throw outOfRange(value, "uint");
	return new Uint(value);
}

/** Rounds down; what is below 0 is refused before it is rounded. */
function doubleToUint(value: number): Uint {
	if (!(value >= 0 && value < TWO_64)) throw outOfRange(value, "uint");
	return new Uint(BigInt(Math.trunc(value)));
}

function textToUint(text: string): Uint {
	if (!/^\+?\d{1,25}$/.test(text)) throw notText(text, "a uint");
	const value = BigInt(text.replace(/^\+/, ""));
	if (value > UINT_MAX) throw outOfRange(value, "uint");
	return new Uint(value);
}

const DOUBLE_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL = /^([+-]?)(?:(inf|infinity)|(nan))$/i;
/** Texts longer than any number are not looked at. */
const NUMBER_CHARACTERS = 400;

function textToDouble(text: string): number {
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

function textToBool(text: string): boolean {
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
const CODED_NS = 8;

function textToBytes(text: string): Uint8Array {
	charge(text.length * CODED_NS);
	return ENCODER.encode(text);
}

/** of a duration as text, in which every other one may end a component */
const DURATION_CHARACTER_NS = 150;

function textToDuration(text: string): Duration {
	charge(Math.min(text.length, DURATION_CHARACTERS) * DURATION_CHARACTER_NS);
	return parseDuration(text);
}

const identity = (value: Value): Value => value;
const same: Implementation = { call: identity, fails: false, cost: () => 5 };

/** A conversion of a bounded number, whose text has at most so many characters. */
const toText = (characters: number, cost: number): Implementation => ({
	call: scalarText,
	fails: false,
	cost: () => cost,
	resultSize: () => characters,
});

const failing = (call: Implementation["call"], cost: number): Implementation => ({
	call,
	fails: true,
	cost: () => cost,
	resultSize: () => 1,
});

/** Seconds; `duration` rounds towards zero. */
const seconds = ({ seconds }: { readonly seconds: number }): bigint => BigInt(seconds);

export const CONVERSIONS: Implementations = {
	"bool(bool) -> bool": same,
	"bool(string) -> bool": failing(textToBool, 50),
	"bytes(bytes) -> bytes": same,
	"bytes(string) -> bytes": {
		call: textToBytes,
		fails: false,
		cost: (characters = 0) => 1000 + characters * CODED_NS,
		resultSize: (characters = 0) => characters * 3,
	},
	"double(double) -> double": same,
	"double(int) -> double": { call: identity, smallInts: true, fails: false, cost: () => 10 },
	"double(uint) -> double": {
		call: ({ value }: Uint) => Number(value),
		fails: false,
		cost: () => 100,
	},
	"double(string) -> double": failing(textToDouble, 2000),
	"duration(duration) -> duration": same,
	"duration(string) -> duration": {
		call: textToDuration,
		fails: true,
		cost: (characters = 0) =>
			1000 + Math.min(characters, DURATION_CHARACTERS) * DURATION_CHARACTER_NS,
		resultSize: () => 1,
	},
	"dyn(A) -> dyn": same,
	"int(int) -> int": same,
	"int(uint) -> int": failing(uintToInt, 100),
	"int(double) -> int": failing(doubleToInt, 150),
	"int(string) -> int": failing(textToInt, 500),
	"int(timestamp) -> int": { call: seconds, fails: false, cost: () => 150 },
	"int(duration) -> int": { call: seconds, fails: false, cost: () => 150 },
	"string(string) -> string": same,
	"string(bool) -> string": toText(5, 50),
	"string(int) -> string": toText(20, 300),
	"string(uint) -> string": toText(20, 300),
	"string(double) -> string": toText(25, 500),
	"string(bytes) -> string": {
		call: scalarText,
		fails: true,
		cost: (bytes = 0) => 500 + bytes * CODED_NS,
	},
	"string(timestamp) -> string": toText(30, 1500),
	"string(duration) -> string": toText(22, 500),
	"timestamp(timestamp) -> timestamp": same,
	"timestamp(string) -> timestamp": failing(parseTimestamp, 1500),
	"timestamp(int) -> timestamp": {
		call: (value: number): Timestamp => timestampOf(value, 0),
		smallInts: true,
		fails: true,
		cost: () => 200,
	},
	"type(A) -> type": { call: typeOf, fails: false, resultSize: () => 1 },
	"uint(uint) -> uint": same,
	"uint(int) -> uint": failing(intToUint, 150),
	"uint(double) -> uint": failing(doubleToUint, 150),
	"uint(string) -> uint": failing(textToUint, 500),
};
