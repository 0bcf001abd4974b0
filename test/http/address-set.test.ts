/** Sets of address ranges: as one range after the other would decide, and the narrowest is the one that is told. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressRangeOf } from "../../src/http/address-range.ts";
import { AddressSet, AddressSetBuilder } from "../../src/http/address-set.ts";
import { addressText, parseRange, textInRanges } from "../../src/http/ip-address.ts";

const rangesOf = (texts: readonly string[]) =>
	texts.map((text) => {
		const range = addressRangeOf(text);
		if (!range.ok) throw new Error(range.error);
		return range.value;
	});
const setOf = (texts: readonly string[]) => AddressSet.of(rangesOf(texts));

test("the narrowest range is found, whatever their order", () => {
	const texts = ["10.1.0.0/16", "10.0.0.0/8", "10.1.2.3", "0.0.0.0/0", "10.1.2.0/24"];
	const set = setOf(texts);
	const found = (text: string) => set.find(text);
	expect(
		["10.1.2.3", "10.1.2.4", "10.1.3.4", "10.2.0.1", "11.0.0.0", "255.255.255.255"].map(found),
	).toEqual(["10.1.2.3", "10.1.2.0/24", "10.1.0.0/16", "10.0.0.0/8", "0.0.0.0/0", "0.0.0.0/0"]);
	expect(set.find("::ffff:10.1.2.3")).toBe("10.1.2.3");
	expect([set.find("::1"), set.find("office")]).toEqual([undefined, undefined]);
	expect(["::1", "office", "", "10.1.2.3"].map((text) => set.has(text))).toEqual([
		false,
		false,
		false,
		true,
	]);
	expect(setOf([]).has("10.0.0.1")).toBe(false);
});

test("ranges that are taken out of order are a bug, and told", () => {
	const builder = new AddressSetBuilder();
	const [high, low] = rangesOf(["10.0.0.0/8", "9.0.0.0/8"]);
	if (high === undefined || low === undefined) throw new Error("no ranges");
	builder.add(high);
	expect(() => builder.add(low)).toThrow("out of order");
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
					const found = set.find(each);
					const longest = Math.max(-1, ...holding.map((text) => Number(text.split("/")[1])));
					const length = found === undefined ? -1 : (rangesOf([found])[0]?.length ?? -1);
					expect([length, set.has(each)]).toEqual([longest, longest >= 0]);
				}
			},
		),
		{ numRuns: 500 },
	);
});

test("so many ranges that IPv4 has a table: every edge of every range", () => {
	const texts = Array.from({ length: 6000 }, (_, n) => `10.${n >> 8}.${n & 255}.16/28`);
	texts.push("10.3.0.0/16", "0.0.0.0/8", "255.255.255.255");
	const set = setOf(texts);
	for (const n of [0, 255, 256, 3 * 256, 4 * 256 - 1, 5999]) {
		const at = `10.${n >> 8}.${n & 255}`;
		const outside = n >> 8 === 3 ? "10.3.0.0/16" : undefined;
		expect([15, 16, 31, 32].map((last) => set.find(`${at}.${last}`))).toEqual([
			outside,
			`${at}.16/28`,
			`${at}.16/28`,
			outside,
		]);
	}
	expect(
		["0.0.0.0", "0.255.255.255", "1.0.0.0", "255.255.255.254", "255.255.255.255"].map((text) =>
			set.find(text),
		),
	).toEqual(["0.0.0.0/8", "0.0.0.0/8", undefined, undefined, "255.255.255.255"]);
});
