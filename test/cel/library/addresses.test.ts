/** Address ranges that come with a request. */
import { expect, test } from "vitest";
import { inPreparedRanges } from "../../../src/cel/library/addresses.ts";
import type { Value } from "../../../src/cel/values/value.ts";
import { parseRange, type Range } from "../../../src/http/ip-address.ts";
import { call, charged, outcome } from "./calls.ts";

const IN_RANGE = "inCidrRange(string, string) -> bool";
const IN_RANGES = "inCidrRanges(string, list<string>) -> bool";

function prepared(...texts: readonly string[]): Range[] {
	return texts.map((text) => {
		const range = parseRange(text);
		if (range === undefined) throw new Error("bad test");
		return range;
	});
}

test.each([
	["10.1.2.3", true],
	["11.1.2.3", false],
	["::ffff:10.1.2.3", true],
	["2001:db8::1", true],
	["2001:db9::1", false],
])("%s in a range: %s", (address, expected) => {
	const ranges = ["192.168.0.0/16", "10.0.0.0/8", "2001:db8::/32"];
	expect(inPreparedRanges(address, prepared(...ranges))).toBe(expected);
	expect(call(IN_RANGES, address, ranges)).toBe(expected);
	expect(ranges.some((range) => call(IN_RANGE, address, range) === true)).toBe(expected);
});

test("what is no address or range is a failure, even if another range has the address", () => {
	expect(outcome(() => inPreparedRanges("10.1.2", []))).toBe('failure: "10.1.2" is no IP address');
	expect(call(IN_RANGE, "", "10.0.0.0/8")).toBe('failure: "" is no IP address');
	expect(call(IN_RANGES, "10.1.2.3", ["10.0.0.0/8", "10.0.0.0"])).toContain(
		'failure: "10.0.0.0" is no address range',
	);
	expect(call(IN_RANGES, "10.1.2.3", ["10.0.0.0/8", 1n])).toBe(
		"failure: an address range is a string, not of type int",
	);
});

test("many ranges are charged for, few are not", () => {
	const many: Value[] = new Array(1000).fill("10.0.0.0/8");
	expect(charged(() => call(IN_RANGES, "1.2.3.4", many))).toBeGreaterThan(500_000);
	expect(
		charged(() => inPreparedRanges("1.2.3.4", prepared(...new Array(1000).fill("10.0.0.0/8")))),
	).toBeGreaterThan(5000);
	expect(charged(() => inPreparedRanges("1.2.3.4", prepared("10.0.0.0/8")))).toBe(0);
});
