/**
 * Fields of a timestamp, in UTC, at a fixed offset or in an IANA time zone. The library computes them
 * through the machine's own time zone, which is wrong in the hours when its clocks change. Used
 * by `environment.ts`.
 */
import { type CelFunc, CelScalar, celMethod, objectType } from "@bufbuild/cel";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

const { STRING, INT } = CelScalar;
const TIMESTAMP = objectType(TimestampSchema);

const FIXED_OFFSET = /^([+-]?)(\d\d):(\d\d)$/;
const DAY_MS = 86_400_000;

/** Time zones that expressions named; there are some 600, so this cannot grow. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The library's own rounds to the next millisecond. */
const dateOf = ({ seconds, nanos }: Timestamp): Date =>
	new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000));

/** A date whose UTC fields are those that a clock in the zone shows. */
function inZone(date: Date, zone: string): Date {
	const fixed = FIXED_OFFSET.exec(zone);
	if (fixed !== null) {
		const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
		return new Date(date.getTime() + (fixed[1] === "-" ? -minutes : minutes) * 60_000);
	}
	const formatted = formatOf(zone).formatToParts(date);
	const parts = new Map(formatted.map(({ type, value }) => [type, Number(value)]));
	const isBeforeChrist = formatted.some(({ value }) => value.startsWith("B"));
	const field = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
	const shown = new Date(0);
	const year = isBeforeChrist ? 1 - field("year") : field("year");
	shown.setUTCFullYear(year, field("month") - 1, field("day"));
	shown.setUTCHours(field("hour"), field("minute"), field("second"), date.getUTCMilliseconds());
	return shown;
}

function formatOf(zone: string): Intl.DateTimeFormat {
	const kept = formats.get(zone);
	if (kept !== undefined) return kept;
	// throws on what is no time zone, which makes the call a failure
	const made = new Intl.DateTimeFormat("en-US", {
		hourCycle: "h23",
		timeZone: zone,
		era: "short",
		year: "numeric",
		month: "numeric",
		day: "numeric",
		hour: "numeric",
		minute: "numeric",
		second: "numeric",
	});
	if (formats.size < 1000) formats.set(zone, made);
	return made;
}

function dayOfYear(date: Date): number {
	const start = new Date(0);
	start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
	return Math.floor((date.getTime() - start.getTime()) / DAY_MS);
}

const FIELDS: readonly (readonly [name: string, field: (date: Date) => number])[] = [
	["getFullYear", (date) => date.getUTCFullYear()],
	["getMonth", (date) => date.getUTCMonth()],
	["getDate", (date) => date.getUTCDate()],
	["getDayOfMonth", (date) => date.getUTCDate() - 1],
	["getDayOfWeek", (date) => date.getUTCDay()],
	["getDayOfYear", dayOfYear],
	["getHours", (date) => date.getUTCHours()],
	["getMinutes", (date) => date.getUTCMinutes()],
	["getSeconds", (date) => date.getUTCSeconds()],
	["getMilliseconds", (date) => date.getUTCMilliseconds()],
];

export const TIME_FUNCTIONS: readonly CelFunc[] = FIELDS.flatMap(([name, field]) => [
	celMethod(name, TIMESTAMP, [], INT, function () {
		return BigInt(field(dateOf(this.message)));
	}),
	celMethod(name, TIMESTAMP, [STRING], INT, function (zone) {
		return BigInt(field(inZone(dateOf(this.message), zone)));
	}),
]);
