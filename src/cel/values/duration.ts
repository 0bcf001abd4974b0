/**
 * Durations: 64 bits of nanoseconds, some 292 years either way, as in the reference implementation (the
 * official cases ask for it), kept as numbers. Called by the conversions, by `arithmetic.ts` and by
 * `scalar-text.ts`.
 */
import { EvaluationFailure } from "../expression.ts";
import { Duration } from "./value.ts";

export const NANOS_PER_SECOND = 1_000_000_000;
/** 2⁶³ nanoseconds */
const SECONDS_MAX = 9_223_372_036;
const LAST_NANOS_MAX = 854_775_807;

/**
 * @param seconds an integer below 2⁵³ in size
 * @param nanos likewise, of any sign
 * @throws EvaluationFailure out of range
 */
export function durationOf(seconds: number, nanos: number): Duration {
	const carried = Math.trunc(nanos / NANOS_PER_SECOND);
	let whole = seconds + carried;
	let rest = nanos - carried * NANOS_PER_SECOND;
	if (whole > 0 && rest < 0) {
		whole--;
		rest += NANOS_PER_SECOND;
	} else if (whole < 0 && rest > 0) {
		whole++;
		rest -= NANOS_PER_SECOND;
	}
	if (!isInRange(whole, rest)) {
		throw new EvaluationFailure(`a duration of ${whole} seconds is out of range (292 years)`);
	}
	// adding 0 makes 0 of −0
	return new Duration(whole + 0, rest + 0);
}

function isInRange(seconds: number, nanos: number): boolean {
	const size = Math.abs(seconds);
	if (size !== SECONDS_MAX) return size < SECONDS_MAX;
	return nanos <= LAST_NANOS_MAX && nanos >= -LAST_NANOS_MAX - 1;
}

export const addDurations = (a: Duration, b: Duration): Duration =>
	durationOf(a.seconds + b.seconds, a.nanos + b.nanos);

export const subtractDurations = (a: Duration, b: Duration): Duration =>
	durationOf(a.seconds - b.seconds, a.nanos - b.nanos);

/** Seconds with as many decimals as it takes, `-1.5s`. */
export function durationText({ seconds, nanos }: Duration): string {
	const sign = seconds < 0 || nanos < 0 ? "-" : "";
	const decimals = String(Math.abs(nanos)).padStart(9, "0").replace(/0+$/, "");
	return `${sign}${Math.abs(seconds)}${decimals === "" ? "" : `.${decimals}`}s`;
}

/** Longer texts are refused unread. */
export const DURATION_CHARACTERS = 128;
const COMPONENT = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** Seconds in a unit, or for parts of a second by how many digits the point moves to make seconds of it. */
const UNITS: ReadonlyMap<string, { readonly seconds: number; readonly digits: number }> = new Map([
	["ns", { seconds: 1, digits: 9 }],
	["us", { seconds: 1, digits: 6 }],
	["\u00b5s", { seconds: 1, digits: 6 }],
	["\u03bcs", { seconds: 1, digits: 6 }],
	["ms", { seconds: 1, digits: 3 }],
	["s", { seconds: 1, digits: 0 }],
	["m", { seconds: 60, digits: 0 }],
	["h", { seconds: 3600, digits: 0 }],
]);

/** `1h2m3.5s`, `-1.5h`, `300ms`, `0`. @throws EvaluationFailure for other texts, and out of range */
export function parseDuration(text: string): Duration {
	const failure = new EvaluationFailure("not the text of a duration, such as 1h30m or 0.5s");
	if (text.length > DURATION_CHARACTERS) throw failure;
	const isNegative = text.startsWith("-");
	const start = isNegative || text.startsWith("+") ? 1 : 0;
	if (text.length === start) throw failure;
	if (text.length === start + 1 && text.endsWith("0")) return new Duration(0, 0);
	let seconds = 0;
	let nanos = 0;
	COMPONENT.lastIndex = start;
	while (COMPONENT.lastIndex < text.length) {
		const [, digits = "", decimals = "", unit = ""] = COMPONENT.exec(text) ?? [];
		const of = UNITS.get(unit);
		if (of === undefined || digits + decimals === "") throw failure;
		// the digits before the point, moved, and those behind it
		const moved = digits.padStart(of.digits, "0");
		const point = moved.length - of.digits;
		seconds += Number(moved.slice(0, point)) * of.seconds;
		nanos += fractionNanos(moved.slice(point) + decimals, of.seconds);
	}
	return isNegative ? durationOf(-seconds, -nanos) : durationOf(seconds, nanos);
}

/**
 * Nanoseconds of a fraction of a unit, rounded down. In two parts that a double holds exactly; digits
 * beyond the fourteenth do not count.
 */
function fractionNanos(digits: string, unitSeconds: number): number {
	const high = Number(digits.slice(0, 9).padEnd(9, "0"));
	const low = Number(digits.slice(9, 14).padEnd(5, "0"));
	return high * unitSeconds + Math.floor((low * unitSeconds) / 100_000);
}
