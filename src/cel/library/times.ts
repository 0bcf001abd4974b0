/**
 * Fields of timestamps, in UTC or in a time zone, and parts of durations (CEL specification, "Standard
 * Definitions"). Joined by `table.ts`.
 */

import { offsetSeconds, ZONE_NS } from "../values/time-zone.ts";
import type { Duration, Timestamp } from "../values/value.ts";
import type { Example, FunctionDefinition, Overloads } from "./definition.ts";

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

const milliseconds = ({ seconds, nanos }: Timestamp): number =>
	seconds * 1000 + Math.floor(nanos / 1_000_000);

/** A field of a timestamp, in UTC or in a zone. @param ms the moment in milliseconds since the epoch */
function field(name: string, resultMax: number, of: (ms: number) => number): Overloads {
	const number = { smallInts: true, resultMax } as const;
	return {
		[`timestamp.${name}() -> int`]: {
			...number,
			call: (timestamp: Timestamp) => of(milliseconds(timestamp)),
			fails: false,
			cost: () => FIELD_NS,
		},
		[`timestamp.${name}(string) -> int`]: {
			...number,
			call: (timestamp: Timestamp, zone: string) =>
				of(milliseconds(timestamp) + offsetSeconds(zone, timestamp.seconds) * 1000),
			fails: true,
			base: FIELD_NS,
			cost: () => FIELD_NS + ZONE_NS,
		},
	};
}

/** A duration in whole units, negative for negative durations. */
const part = (name: string, of: (duration: Duration) => number): Overloads => ({
	[`duration.${name}() -> int`]: {
		call: (duration: Duration) => BigInt(Math.trunc(of(duration))),
		fails: false,
		cost: () => FIELD_NS,
	},
});

const timeFunction = (
	name: string,
	doc: string,
	examples: readonly Example[],
	overloads: Overloads,
): FunctionDefinition => ({ name, doc, examples, overloads });

/** Where a zone shows the first or last day in another year, that is the year 0 or 10,000. */
const YEAR_MAX = 10_000;

export const TIMES: readonly FunctionDefinition[] = [
	timeFunction(
		"getFullYear",
		"The year.",
		[["time.now.getFullYear()", "2026"]],
		field("getFullYear", YEAR_MAX, (ms) => calendar(ms).getUTCFullYear()),
	),
	timeFunction(
		"getMonth",
		"The month, from 0 for January.",
		[["time.now.getMonth()", "4"]],
		field("getMonth", 11, (ms) => calendar(ms).getUTCMonth()),
	),
	timeFunction(
		"getDate",
		"The day of the month, from 1.",
		[["time.now.getDate()", "4"]],
		field("getDate", 31, (ms) => calendar(ms).getUTCDate()),
	),
	timeFunction(
		"getDayOfMonth",
		"The day of the month, from 0.",
		[["time.now.getDayOfMonth()", "3"]],
		field("getDayOfMonth", 30, (ms) => calendar(ms).getUTCDate() - 1),
	),
	timeFunction(
		"getDayOfWeek",
		"The day of the week, from 0 for Sunday.",
		[["time.now.getDayOfWeek('Europe/Berlin') in [0, 6]", "false"]],
		// the epoch was a Thursday
		field("getDayOfWeek", 6, (ms) => within(ms + 4 * DAY_MS, DAY_MS, 7)),
	),
	timeFunction(
		"getDayOfYear",
		"The day of the year, from 0.",
		[["time.now.getDayOfYear()", "123"]],
		field("getDayOfYear", 365, dayOfYear),
	),
	timeFunction(
		"getHours",
		"Of a timestamp the hour, 0 to 23; of a duration all its hours.",
		[
			["time.now.getHours()", "10"],
			["time.now.getHours('America/Sao_Paulo')", "7"],
			["duration('36h').getHours()", "36"],
		],
		{
			...field("getHours", 23, (ms) => within(ms, 3_600_000, 24)),
			...part("getHours", ({ seconds }) => seconds / 3600),
		},
	),
	timeFunction(
		"getMinutes",
		"Of a timestamp the minute, 0 to 59; of a duration all its minutes.",
		[["duration('90m').getMinutes()", "90"]],
		{
			...field("getMinutes", 59, (ms) => within(ms, 60_000, 60)),
			...part("getMinutes", ({ seconds }) => seconds / 60),
		},
	),
	timeFunction(
		"getSeconds",
		"Of a timestamp the second, 0 to 59; of a duration all its seconds.",
		[["(time.now - timestamp('2026-05-04T10:00:00Z')).getSeconds()", "1231"]],
		{
			...field("getSeconds", 59, (ms) => within(ms, 1000, 60)),
			...part("getSeconds", ({ seconds }) => seconds),
		},
	),
	timeFunction(
		"getMilliseconds",
		"The milliseconds within the second, of a timestamp and of a duration.",
		[["req.ts.header_received.getMilliseconds()", "250"]],
		{
			...field("getMilliseconds", 999, (ms) => within(ms, 1, 1000)),
			...part("getMilliseconds", ({ nanos }) => nanos / 1_000_000),
		},
	),
];
