/** Fields of timestamps in UTC and in zones, parts of durations. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { IMPLEMENTATIONS } from "../../../src/cel/library/table.ts";
import { parseTimestamp, timestampFromMs } from "../../../src/cel/values/timestamp.ts";
import { Duration, type Timestamp, type Value } from "../../../src/cel/values/value.ts";
import { byLibrary, DURATIONS, described, outcome, TIMESTAMPS } from "../values/samples.ts";

function call(signature: string, ...operands: readonly Value[]): Value {
	const implementation = IMPLEMENTATIONS.get(signature);
	if (implementation === undefined) throw new Error(`no ${signature}`);
	return (implementation.call as (...operands: readonly Value[]) => Value)(...operands);
}

const field = (name: string, timestamp: Timestamp, zone?: string): Value =>
	zone === undefined
		? call(`timestamp.${name}() -> int`, timestamp)
		: call(`timestamp.${name}(string) -> int`, timestamp, zone);

const FIELDS: readonly (readonly [string, (date: Date) => number])[] = [
	["getFullYear", (date) => date.getUTCFullYear()],
	["getMonth", (date) => date.getUTCMonth()],
	["getDate", (date) => date.getUTCDate()],
	["getDayOfMonth", (date) => date.getUTCDate() - 1],
	["getDayOfWeek", (date) => date.getUTCDay()],
	["getHours", (date) => date.getUTCHours()],
	["getMinutes", (date) => date.getUTCMinutes()],
	["getSeconds", (date) => date.getUTCSeconds()],
	["getMilliseconds", (date) => date.getUTCMilliseconds()],
];

test("property: fields are the calendar's, at any fixed offset, and as large as is said at most", () => {
	const hours = fc.integer({ min: -23, max: 23 });
	fc.assert(
		fc.property(TIMESTAMPS, hours, (timestamp, offset) => {
			const ms = timestamp.seconds * 1000 + Math.floor(timestamp.nanos / 1e6);
			const zone = `${offset < 0 ? "-" : "+"}${String(Math.abs(offset)).padStart(2, "0")}:00`;
			for (const [name, of] of FIELDS) {
				expect(field(name, timestamp)).toBe(of(new Date(ms)));
				const there = field(name, timestamp, zone);
				expect(there).toBe(of(new Date(ms + offset * 3_600_000)));
				expect(there).toBeGreaterThanOrEqual(0);
				expect(there).toBeLessThanOrEqual(
					IMPLEMENTATIONS.get(`timestamp.${name}(string) -> int`)?.resultMax ?? -1,
				);
			}
		}),
		{ numRuns: 500 },
	);
});

test("property: days of a year count from its first", () => {
	fc.assert(
		fc.property(TIMESTAMPS, (timestamp) => {
			const day = field("getDayOfYear", timestamp);
			const first = new Date(0);
			first.setUTCFullYear(Number(field("getFullYear", timestamp)), 0, 1 + Number(day));
			expect(first.getTime() / 86_400_000).toBe(Math.floor(timestamp.seconds / 86_400));
		}),
		{ numRuns: 500 },
	);
});

test.each<[string, string, string | undefined, number]>([
	["2024-03-31T01:30:00Z", "getHours", "Europe/Berlin", 3],
	["2024-03-31T00:30:00Z", "getHours", "Europe/Berlin", 1],
	["2024-12-31T23:30:00Z", "getFullYear", "+01:00", 2025],
	["2024-01-01T00:30:00Z", "getDayOfYear", "-01:00", 364],
	["2024-12-31T00:00:00Z", "getDayOfYear", undefined, 365],
	["2024-02-29T00:00:00Z", "getDayOfMonth", undefined, 28],
	["0001-01-01T00:00:00Z", "getFullYear", undefined, 1],
	["0001-01-01T00:00:00Z", "getFullYear", "America/New_York", 0],
	["0001-01-01T00:00:00Z", "getDayOfYear", "-01:00", 365],
	["9999-12-31T23:59:59Z", "getFullYear", "Asia/Tokyo", 10_000],
	["2009-02-13T23:31:30Z", "getDate", "Australia/Sydney", 14],
	["2009-02-13T23:31:30Z", "getDayOfMonth", "US/Central", 12],
	["2009-02-13T02:00:00Z", "getDayOfMonth", "-02:30", 11],
	["2009-02-13T02:00:00Z", "getDayOfMonth", "America/St_Johns", 11],
	["2009-02-13T23:31:30Z", "getDayOfWeek", "UTC", 5],
	["2009-02-13T23:31:30Z", "getHours", "", 23],
	["2009-02-13T23:31:30Z", "getHours", "02:00", 1],
	["2009-02-13T23:31:30Z", "getMinutes", "Asia/Kathmandu", 16],
	["2009-02-13T23:31:30Z", "getSeconds", "-00:00", 30],
	["2009-02-13T23:31:20.123456789Z", "getMilliseconds", undefined, 123],
	["1969-12-31T23:59:59.999Z", "getMilliseconds", undefined, 999],
])("%s.%s(%s) is %s", (text, name, zone, expected) => {
	expect(field(name, parseTimestamp(text), zone)).toBe(expected);
});

test("a zone that is none fails", () => {
	expect(() => field("getHours", timestampFromMs(0), "Nowhere/Town")).toThrow(
		expect.objectContaining({
			message: expect.stringContaining('no such time zone: "Nowhere/Town"'),
		}),
	);
});

test("property: parts of durations are the library's", () => {
	fc.assert(
		fc.property(DURATIONS, (duration) => {
			for (const name of ["getHours", "getMinutes", "getSeconds", "getMilliseconds"]) {
				expect(outcome(() => call(`duration.${name}() -> int`, duration))).toBe(
					byLibrary(`a.${name}()`, duration),
				);
			}
		}),
		{ numRuns: 300 },
	);
	expect(described(call("duration.getHours() -> int", new Duration(-7300, 0)))).toBe("int -2");
});
