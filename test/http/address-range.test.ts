/** Ranges as people write them: read strictly, with mistakes told, in one spelling and one order. */
import { describe, expect, test } from "vitest";
import {
	addressRangeOf,
	boundOf,
	holdsAddress,
	orderOfRanges,
	rangeText,
} from "../../src/http/address-range.ts";
import { parseAddress } from "../../src/http/ip-address.ts";

function rangeOf(text: string) {
	const range = addressRangeOf(text);
	if (!range.ok) throw new Error(range.error);
	return range.value;
}

describe("entries", () => {
	test.each([
		["10.0.0.0/8", 8],
		["192.0.2.7", 32],
		["2001:db8::/32", 32],
		["::1", 128],
		["::ffff:10.0.0.0/104", 8],
		["0.0.0.0/0", 0],
		["::/0", 0],
	])("%s", (text, length) => {
		expect(addressRangeOf(text)).toMatchObject({ ok: true, value: { length } });
	});
	test.each([
		["10.1.2.3/8", 'has bits set behind its prefix; the range is "10.0.0.0/8"'],
		["10.1.2.3/20", 'the range is "10.1.0.0/20"'],
		["2001:db8::1/33", 'the range is "2001:db8::/33"'],
		["::ffff:10.1.2.3/104", 'the range is "10.0.0.0/8"'],
		["10.0.0.0/33", "is no address or range"],
		["10.0.0/8", "is no address or range"],
		["office", "is no address or range"],
		["", "is no address or range"],
	])("%s is refused", (text, message) => {
		const range = addressRangeOf(text);
		expect(range.ok ? "" : range.error).toContain(message);
	});
});

test("one spelling for each", () => {
	const spelled = (text: string) => rangeText(rangeOf(text));
	expect(
		["192.0.2.7/32", "::ffff:192.0.2.7", "10.0.0.0/8", "2001:DB8:0::/32", "::1/128", "::/0"].map(
			spelled,
		),
	).toEqual(["192.0.2.7", "192.0.2.7", "10.0.0.0/8", "2001:db8::/32", "::1", "::/0"]);
});

test("IPv4 first, lower addresses first, and a range before those inside it", () => {
	const sorted = ["2001:db8::/32", "10.0.0.0/16", "::1", "10.0.0.0/8", "9.255.255.255", "::/0"]
		.map(rangeOf)
		.sort(orderOfRanges);
	expect(sorted.map(rangeText)).toEqual([
		"9.255.255.255",
		"10.0.0.0/8",
		"10.0.0.0/16",
		"::/0",
		"::1",
		"2001:db8::/32",
	]);
});

test("where a range begins, and what it holds", () => {
	expect(boundOf(parseAddress("10.1.2.3") ?? [], 20)).toEqual(parseAddress("10.1.0.0"));
	const range = rangeOf("2001:db8::/33");
	expect(
		["2001:db8:7fff::1", "2001:db8:8000::1", "10.0.0.1", "office"].map((text) =>
			holdsAddress(range, text),
		),
	).toEqual([true, false, false, false]);
	expect(holdsAddress(rangeOf("10.0.0.0/8"), "::ffff:10.9.9.9")).toBe(true);
});
