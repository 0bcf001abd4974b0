/** Numbers and times of the live page, at the edges where their form changes. */
import { expect, it } from "vitest";
import {
	bytes,
	count,
	duration,
	milliseconds,
	plural,
	rate,
	share,
} from "../../../ui/text/format.ts";

it("counts have at most four digits, and no unit is skipped", () => {
	const written = [
		0, 999, 9_999, 10_000, 12_345, 99_949, 99_951, 999_400, 999_600, 1_250_000, 4.2e9,
	];
	expect(written.map(count)).toEqual([
		...["0", "999", "9,999", "10.0k", "12.3k", "99.9k", "100k", "999k", "1.00M", "1.25M", "4.20G"],
	]);
});

it("rates below ten have a decimal, and what is hardly anything is not nothing", () => {
	expect([0, 0.02, 0.3, 9.94, 9.96, 812.4].map(rate)).toEqual([
		"0",
		"<0.1",
		"0.3",
		"9.9",
		"10",
		"812",
	]);
});

it("durations of requests", () => {
	expect([null, 0.083, 0.999, 1.25, 14.4, 999.4, 999.6, 2_345, 30_000].map(milliseconds)).toEqual([
		...["–", "0.08 ms", "1.0 ms", "1.3 ms", "14 ms", "999 ms", "1.0 s", "2.3 s", "30 s"],
	]);
});

it("shares: of nothing nothing, and little is not nothing", () => {
	expect([
		share(0, 0),
		share(0, 5),
		share(1, 5_000),
		share(1, 300),
		share(9.96, 100),
		share(7, 5),
	]).toEqual([...["0 %", "0 %", "<0.1 %", "0.3 %", "10 %", "100 %"]]);
});

it("times that have passed", () => {
	const minute = 60_000;
	const times = [
		0,
		1_000,
		59_999,
		minute,
		60 * minute,
		200 * minute,
		47 * 60 * minute,
		49 * 60 * minute,
	];
	expect(times.map(duration)).toEqual([
		...["a moment", "1 s", "59 s", "1 min", "1 h", "3 h 20 min", "47 h", "2 d"],
	]);
});

it("memory, and words for numbers", () => {
	expect([bytes(null), bytes(112_400_000), bytes(1.26e9)]).toEqual(["–", "112 MB", "1.3 GB"]);
	expect([plural(1, "rule"), plural(1_200, "policy", "policies")]).toEqual([
		"1 rule",
		"1,200 policies",
	]);
});
