/**
 * Conversions from text that the library does by JavaScript's rules instead of CEL's: there `int("")`
 * is 0, `double("x")` is NaN, and `timestamp(int)` counts milliseconds. Called by `environment.ts`.
 */
import {
	type CelFunc,
	CelScalar,
	celEnv,
	celError,
	celFunc,
	celUint,
	objectType,
} from "@bufbuild/cel";
import { create } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { bounded } from "./characters.ts";

const { STRING, INT, UINT, DOUBLE, BYTES } = CelScalar;
const TIMESTAMP = objectType(TimestampSchema);
const DURATION = objectType(DurationSchema);

const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;
const SECONDS_MIN = -62_135_596_800n;
const SECONDS_MAX = 253_402_300_799n;

/** Texts longer than any number are not looked at. */
const NUMBER_CHARACTERS = 400;

function toInt(text: string): bigint {
	if (!/^[+-]?\d{1,25}$/.test(text)) throw new Error("not the text of an int");
	const value = BigInt(text.replace(/^\+/, ""));
	if (value > INT_MAX || value < -INT_MAX - 1n) throw new Error("int overflow");
	return value;
}

function toUint(text: string): ReturnType<typeof celUint> {
	if (!/^\+?\d{1,25}$/.test(text)) throw new Error("not the text of a uint");
	const value = BigInt(text.replace(/^\+/, ""));
	if (value > UINT_MAX) throw new Error("uint overflow");
	return celUint(value);
}

const DOUBLE_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL = /^([+-]?)(?:(inf|infinity)|(nan))$/i;

function toDouble(text: string): number {
	const special = SPECIAL.exec(text);
	if (special !== null) {
		if (special[3] !== undefined) return Number.NaN;
		return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
	}
	if (text.length > NUMBER_CHARACTERS || !DOUBLE_TEXT.test(text)) {
		throw new Error("not the text of a double");
	}
	const value = Number(text);
	if (!Number.isFinite(value)) throw new Error("double overflow");
	return value;
}

/** CEL's way: seconds with as many decimals as it takes, `1.5s`. */
export function durationText(seconds: bigint, nanos: number): string {
	const sign = seconds < 0n || nanos < 0 ? "-" : "";
	const whole = seconds < 0n ? -seconds : seconds;
	const decimals = String(Math.abs(nanos)).padStart(9, "0").replace(/0+$/, "");
	return `${sign}${whole}${decimals === "" ? "" : `.${decimals}`}s`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws on bytes that are no UTF-8. */
export function bytesText(bytes: Uint8Array): string {
	bounded(bytes.length);
	return utf8.decode(bytes);
}

/** `1.0` is `1`, and infinities are `+Inf` and `-Inf`, as the reference implementation prints them. */
export function doubleText(value: number): string {
	if (value === Number.POSITIVE_INFINITY) return "+Inf";
	if (value === Number.NEGATIVE_INFINITY) return "-Inf";
	return Object.is(value, -0) ? "-0" : String(value);
}

/** The library takes the empty text for no time at all, and an int for seconds. */
function durations(): readonly CelFunc[] {
	return [...celEnv().funcs]
		.filter(({ id }) => /^duration\((?:string|int)\)$/.test(id))
		.map((parsing) => {
			const call: CelFunc["call"] = (id, target, args) =>
				args[0] === "" || typeof args[0] === "bigint"
					? celError("not the text of a duration", id)
					: parsing.call(id, target, args);
			return Object.assign(Object.create(parsing), { call });
		});
}

export const CONVERSIONS: readonly CelFunc[] = [
	celFunc("int", [STRING], INT, toInt),
	celFunc("uint", [STRING], UINT, toUint),
	celFunc("double", [STRING], DOUBLE, toDouble),
	...durations(),
	celFunc("string", [BYTES], STRING, bytesText),
	celFunc("string", [DOUBLE], STRING, doubleText),
	celFunc("string", [DURATION], STRING, (value) =>
		durationText(value.message.seconds, value.message.nanos),
	),
	celFunc("timestamp", [INT], TIMESTAMP, (seconds) => {
		if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) throw new Error("timestamp out of range");
		return create(TimestampSchema, { seconds });
	}),
];
