/** Offsets are those of the platform's zones at every moment, and asked for rarely. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { offsetSeconds, ZONE_NS } from "../../../src/cel/values/time-zone.ts";
import { charged } from "../library/calls.ts";
import { outcome } from "./samples.ts";

const NAMES = [
	"UTC",
	"Europe/Berlin",
	"America/New_York",
	"America/St_Johns",
	"Asia/Kathmandu",
	"Australia/Lord_Howe",
	"Pacific/Apia",
	"Africa/Monrovia",
	"US/Central",
	"Etc/GMT+5",
] as const;
const formats = new Map(
	NAMES.map((timeZone) => [
		timeZone,
		new Intl.DateTimeFormat("en-US", {
			timeZone,
			hourCycle: "h23",
			year: "numeric",
			month: "numeric",
			day: "numeric",
			hour: "numeric",
			minute: "numeric",
			second: "numeric",
		}),
	]),
);

/** By the fields that a clock there shows. */
function byClock(name: (typeof NAMES)[number], seconds: number): number {
	const shown = new Map(
		formats
			.get(name)
			?.formatToParts(seconds * 1000)
			.map(({ type, value }) => [type, Number(value)]),
	);
	const field = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0;
	const date = Date.UTC(
		field("year"),
		field("month") - 1,
		field("day"),
		field("hour"),
		field("minute"),
		field("second"),
	);
	return date / 1000 - seconds;
}

test("property: an offset is what clocks in the zone are ahead of UTC", () => {
	const moment = fc.integer({ min: -4_000_000_000, max: 4_000_000_000 });
	fc.assert(
		fc.property(
			fc.constantFrom(...NAMES),
			moment,
			fc.integer({ min: -7200, max: 7200 }),
			(name, at, near) => {
				// the second is often within the hour that is known
				expect(offsetSeconds(name, at)).toBe(byClock(name, at));
				expect(offsetSeconds(name, at + near)).toBe(byClock(name, at + near));
			},
		),
		{ numRuns: 500 },
	);
});

test("the hours around a change of clocks", () => {
	// 2024-03-31T01:00:00Z in Berlin, 1972-01-07T00:44:30Z in Monrovia
	for (const [name, change] of [
		["Europe/Berlin", 1_711_846_800],
		["Africa/Monrovia", 63_593_070],
		["Australia/Lord_Howe", 1_712_415_600],
	] as const) {
		for (const step of [-3601, -1800, -1, 0, 1, 1800, 3599, -1, 0]) {
			expect(offsetSeconds(name, change + step)).toBe(byClock(name, change + step));
		}
		expect(offsetSeconds(name, change - 1)).not.toBe(offsetSeconds(name, change));
	}
});

test.each([
	["+01:00", 3600],
	["-02:30", -9000],
	["05:45", 20_700],
	["-00:00", -0],
	["", 0],
])("%s", (name, offset) => {
	expect(offsetSeconds(name, 0)).toBe(offset);
});

test.each([
	" ",
	"Nowhere/Town",
	"+1:00",
	"+01:00:00",
	"+0100",
	"UTC+1",
	"Local",
	" UTC",
	"a".repeat(10_000),
])("%s is no time zone", (name) => {
	expect(outcome(() => BigInt(offsetSeconds(name, 0)))).toBe("failure");
});

test("years before Christ have the offset of the earliest clocks", () => {
	expect(offsetSeconds("America/New_York", -62_135_596_800)).toBe(
		offsetSeconds("America/New_York", -20_000_000_000),
	);
});

test("an hour is paid for once, and more zones than are kept do no harm", () => {
	const spend = (nanoseconds: number, name: string, seconds: number): number => {
		BUDGET.left = nanoseconds;
		try {
			return offsetSeconds(name, seconds);
		} finally {
			BUDGET.left = Number.POSITIVE_INFINITY;
		}
	};
	const forgetOthers = () => {
		for (const name of Intl.supportedValuesOf("timeZone").slice(0, 70)) offsetSeconds(name, 0);
	};
	forgetOthers();
	expect(() => spend(ZONE_NS - 1, "Asia/Tokyo", 0)).toThrow("takes too long");
	// opened by then, which need not be paid for again
	expect(() => spend(1, "Asia/Tokyo", 0)).toThrow("takes too long");
	expect(spend(ZONE_NS - 1, "Asia/Tokyo", 0)).toBe(32_400);
	expect(spend(0, "Asia/Tokyo", 3599)).toBe(32_400);
	expect(() => spend(1, "Asia/Tokyo", 3600)).toThrow("takes too long");
	forgetOthers();
	expect(() => spend(1, "Asia/Tokyo", 0)).toThrow("takes too long");
	expect(offsetSeconds("Asia/Tokyo", 0)).toBe(32_400);
});

test("a zone is one in whatever case it is named, and no text that only becomes its name", () => {
	offsetSeconds("Europe/Lisbon", 0);
	expect(charged(() => offsetSeconds("EUROPE/LISBON", 1))).toBe(0);
	expect(charged(() => offsetSeconds("europe/lisbon", 2))).toBe(0);
	offsetSeconds("America/New_York", 0);
	expect(outcome(() => offsetSeconds("America/New_Yor\u212a", 0))).toBe("failure");
	expect(outcome(() => offsetSeconds("x".repeat(60_000), 0))).toBe("failure");
});
