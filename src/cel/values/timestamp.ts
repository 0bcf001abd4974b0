/**
 * Timestamps: years 1 to 9999 in UTC, to the nanosecond, kept as numbers. Read from and written as RFC 3339.
 * Called by the conversions, by `arithmetic.ts`, `scalar-text.ts` and `derived.ts`.
 */
import { EvaluationFailure } from "../expression.ts";
import { durationOf, NANOS_PER_SECOND } from "./duration.ts";
import { type Duration, Timestamp } from "./value.ts";

const SECONDS_MIN = -62_135_596_800;
const SECONDS_MAX = 253_402_300_799;

/**
 * @param seconds an integer below 2⁵³ in size
 * @param nanos likewise, of any sign
 * @throws EvaluationFailure outside of the years 1 to 9999
 */
export function timestampOf(seconds: number, nanos: number): Timestamp {
	const carried = Math.floor(nanos / NANOS_PER_SECOND);
	const whole = seconds + carried;
	if (whole < SECONDS_MIN || whole > SECONDS_MAX) {
		throw new EvaluationFailure("a timestamp outside of the years 1 to 9999");
	}
	return new Timestamp(whole + 0, nanos - carried * NANOS_PER_SECOND);
}

/** Hot. @param ms milliseconds since the epoch, within the years 1 to 9999 */
export function timestampFromMs(ms: number): Timestamp {
	const seconds = Math.floor(ms / 1000);
	return new Timestamp(seconds, (ms - seconds * 1000) * 1_000_000);
}

export const addDuration = (a: Timestamp, b: Duration): Timestamp =>
	timestampOf(a.seconds + b.seconds, a.nanos + b.nanos);

export const subtractDuration = (a: Timestamp, b: Duration): Timestamp =>
	timestampOf(a.seconds - b.seconds, a.nanos - b.nanos);

/** `later - earlier` */
export const timeBetween = (later: Timestamp, earlier: Timestamp): Duration =>
	durationOf(later.seconds - earlier.seconds, later.nanos - earlier.nanos);

/** In UTC; with as many decimals as it takes, by threes. */
export function timestampText({ seconds, nanos }: Timestamp): string {
	const whole = new Date(seconds * 1000).toISOString().slice(0, -5);
	if (nanos === 0) return `${whole}Z`;
	const decimals = String(nanos).padStart(9, "0");
	return `${whole}.${decimals.replace(/(?:000){1,2}$/, "")}Z`;
}

/** Longer texts are refused unread. */
const TEXT_CHARACTERS = 128;
const TEXT =
	/^(\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * RFC 3339; what is below a nanosecond is left out.
 * @throws EvaluationFailure for other texts, days that no month has, and out of range
 */
export function parseTimestamp(text: string): Timestamp {
	const [, clock = "", day, decimals = "", sign, hours = "0", minutes = "0"] =
		(text.length > TEXT_CHARACTERS ? null : TEXT.exec(text)) ?? [];
	const date = new Date(`${clock}Z`);
	// 30 February would be 1 March, and 24:00 the next day
	if (date.getUTCDate() !== Number(day)) {
		throw new EvaluationFailure("not the text of a timestamp, such as 2024-05-31T12:00:00Z");
	}
	const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
	return timestampOf(date.getTime() / 1000 - offset, Number(decimals.slice(0, 9).padEnd(9, "0")));
}
