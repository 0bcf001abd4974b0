/**
 * Fields of timestamps, in UTC or in a time zone, and parts of durations (CEL specification, "Standard
 * Definitions"). Joined by `table.ts`.
 */

import { offsetSeconds, ZONE_NS } from "../values/time-zone.ts";
import type { Duration, Timestamp } from "../values/value.ts";
import type { Implementation, Implementations } from "./implementation.ts";

const DAY_MS = 86_400_000;
const FIELD_NS = 150;

/** Set anew by every call that uses it. */
const scratch = new Date(0);

/** The calendar's fields of a moment in milliseconds since the epoch. */
function calendar(ms: number): Date {
	scratch.setTime(ms);
	return scratch;
}

function dayOfYear(ms: number): number {
	const date = calendar(ms);
	date.setUTCMonth(0, 1);
	return (ms - date.getTime()) / DAY_MS;
}

/** Not negative, also before the epoch. */
const within = (ms: number, unitMs: number, units: number): number => {
	const whole = Math.floor(ms / unitMs);
	return whole - Math.floor(whole / units) * units;
};

/** Where a zone shows the first or last day in another year, that is the year 0 or 10,000. */
const FIELDS: readonly (readonly [name: string, max: number, field: (ms: number) => number])[] = [
	["getFullYear", 10_000, (ms) => calendar(ms).getUTCFullYear()],
	["getMonth", 11, (ms) => calendar(ms).getUTCMonth()],
	["getDate", 31, (ms) => calendar(ms).getUTCDate()],
	["getDayOfMonth", 30, (ms) => calendar(ms).getUTCDate() - 1],
	// the epoch was a Thursday
	["getDayOfWeek", 6, (ms) => within(ms + 4 * DAY_MS, DAY_MS, 7)],
	["getDayOfYear", 365, dayOfYear],
	["getHours", 23, (ms) => within(ms, 3_600_000, 24)],
	["getMinutes", 59, (ms) => within(ms, 60_000, 60)],
	["getSeconds", 59, (ms) => within(ms, 1000, 60)],
	["getMilliseconds", 999, (ms) => within(ms, 1, 1000)],
];

const milliseconds = ({ seconds, nanos }: Timestamp): number =>
	seconds * 1000 + Math.floor(nanos / 1_000_000);

/** Negative for negative durations. */
const PARTS: readonly (readonly [name: string, part: (duration: Duration) => number])[] = [
	["getHours", ({ seconds }) => seconds / 3600],
	["getMinutes", ({ seconds }) => seconds / 60],
	["getSeconds", ({ seconds }) => seconds],
	["getMilliseconds", ({ nanos }) => nanos / 1_000_000],
];

export const TIMES: Implementations = Object.fromEntries<Implementation>([
	...FIELDS.map(([name, resultMax, field]): [string, Implementation] => [
		`timestamp.${name}() -> int`,
		{
			call: (timestamp: Timestamp) => field(milliseconds(timestamp)),
			smallInts: true,
			resultMax,
			fails: false,
			cost: () => FIELD_NS,
		},
	]),
	...FIELDS.map(([name, resultMax, field]): [string, Implementation] => [
		`timestamp.${name}(string) -> int`,
		{
			call: (timestamp: Timestamp, zone: string) =>
				field(milliseconds(timestamp) + offsetSeconds(zone, timestamp.seconds) * 1000),
			smallInts: true,
			resultMax,
			fails: true,
			base: FIELD_NS,
			cost: () => FIELD_NS + ZONE_NS,
		},
	]),
	...PARTS.map(([name, part]): [string, Implementation] => [
		`duration.${name}() -> int`,
		{
			call: (duration: Duration) => BigInt(Math.trunc(part(duration))),
			fails: false,
			cost: () => FIELD_NS,
		},
	]),
]);
