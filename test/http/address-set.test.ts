/** Sets of address ranges: as one range after the other would decide, the narrowest wins, and mistakes are told. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AddressSet, addressRangeOf } from "../../src/http/address-set.ts";
import { addressText, parseRange, textInRanges } from "../../src/http/ip-address.ts";

function setOf(texts: readonly string[]): AddressSet {
	return new AddressSet(
		texts.map((text) => {
			const range = addressRangeOf(text);
			if (!range.ok) throw new Error(range.error);
			return range.value;
		}),
	);
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

test("the narrowest range is found, whatever their order", () => {
	const texts = ["10.1.0.0/16", "10.0.0.0/8", "10.1.2.3", "0.0.0.0/0", "10.1.2.0/24"];
	const set = setOf(texts);
	const found = (text: string) => texts[set.find(text) ?? -1];
	expect(
		["10.1.2.3", "10.1.2.4", "10.1.3.4", "10.2.0.1", "11.0.0.0", "255.255.255.255"].map(found),
	).toEqual(["10.1.2.3", "10.1.2.0/24", "10.1.0.0/16", "10.0.0.0/8", "0.0.0.0/0", "0.0.0.0/0"]);
	expect(set.find("::ffff:10.1.2.3")).toBe(2);
	expect([set.find("::1"), set.find("office")]).toEqual([-1, undefined]);
	expect(setOf([]).find("10.0.0.1")).toBe(-1);
});

/** Few distinct bits, so that ranges lie inside one another and addresses on their edges. */
const words = (count: number) =>
	fc.array(fc.constantFrom(0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff), {
		minLength: count,
		maxLength: count,
	});
const address = fc.oneof(words(2), words(8)).map(addressText);
const range = fc
	.oneof(
		fc.tuple(words(2), fc.integer({ min: 0, max: 32 })),
		fc.tuple(words(8), fc.integer({ min: 0, max: 128 })),
	)
	.map(([network, length]) => {
		const masked = network.map((word, at) => {
			const bits = Math.min(Math.max(length - at * 16, 0), 16);
			return bits === 0 ? 0 : word & (0xffff << (16 - bits)) & 0xffff;
		});
		return `${addressText(masked)}/${length}`;
	});

test("decides as one range after the other would", () => {
	fc.assert(
		fc.property(
			fc.array(range, { maxLength: 12 }),
			fc.array(address, { maxLength: 8 }),
			(texts, asked) => {
				const set = setOf(texts);
				for (const each of asked) {
					const holding = texts.filter((text) => {
						const parsed = parseRange(text);
						return parsed !== undefined && textInRanges(each, [parsed]) === true;
					});
					const found = texts[set.find(each) ?? -1];
					const longest = Math.max(-1, ...holding.map((text) => Number(text.split("/")[1])));
					expect(found === undefined ? -1 : Number(found.split("/")[1])).toBe(longest);
				}
			},
		),
		{ numRuns: 500 },
	);
});
