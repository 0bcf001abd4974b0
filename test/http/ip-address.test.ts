/** Addresses and ranges: which texts are one, and which address is in which range. */
import { isIP } from "node:net";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import {
	checkAddress,
	checkRange,
	inRanges,
	ipv4Number,
	parseAddress,
	parseRange,
	textInRanges,
} from "../../src/http/ip-address.ts";

function isIn(address: string, range: string): boolean {
	const parsed = parseAddress(address);
	const parsedRange = parseRange(range);
	if (parsed === undefined || parsedRange === undefined) throw new Error("bad test");
	return inRanges(parsed, [parsedRange]);
}

test.each([
	"",
	"1.2.3",
	"1.2.3.4.5",
	"0x7f.0.0.1",
	"01.2.3.4",
	"256.1.1.1",
	"::1::",
	"1.2.3.4/8",
	"a",
	"127.1",
])("%s is no address", (text) => {
	expect(checkAddress(text)).toBe(`${JSON.stringify(text)} is no IP address`);
});

test.each([
	"",
	"10.0.0.0",
	"10.0.0.0/",
	"10.0.0.0/33",
	"10.0.0.0/-1",
	"::/129",
	"::ffff:1.2.3.4/95",
	"a/8",
	"10.0.0.0/8/8",
])("%s is no range", (text) => {
	expect(checkRange(text)).toContain("is no address range");
});

test("IPv4 mapped into IPv6 is IPv4, on either side; families don't mix", () => {
	expect(isIn("::ffff:10.1.2.3", "10.0.0.0/8")).toBe(true);
	expect(isIn("10.1.2.3", "::ffff:10.0.0.0/104")).toBe(true);
	expect(isIn("10.1.2.3", "::/0")).toBe(false);
	expect(isIn("::1", "0.0.0.0/0")).toBe(false);
	expect(isIn("2001:db8::1", "2001:DB8::/32")).toBe(true);
});

test("property: an IPv4 address is in the ranges whose leading bits it shares", () => {
	const word = fc.nat({ max: 2 ** 32 - 1 });
	const text = (value: number): string =>
		[24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
	fc.assert(
		fc.property(word, word, fc.integer({ min: 0, max: 32 }), (address, network, length) => {
			const low = 2 ** (32 - length);
			const shares = Math.floor(address / low) === Math.floor(network / low);
			expect(isIn(text(address), `${text(network)}/${length}`)).toBe(shares);
			expect(isIn(text(address), `${text(address)}/${length}`)).toBe(true);
		}),
	);
});

/** Texts that are nearly addresses. */
const nearly = fc
	.array(
		fc.oneof(
			fc.constantFrom("", ":", "::", "0", "ffff", "::ffff:1.2.3.4", "1.2.3.4", "10000", "g"),
			fc.nat({ max: 0xffff }).map((word) => word.toString(16)),
		),
		{ maxLength: 9 },
	)
	.chain((parts) =>
		fc
			.tuple(fc.constantFrom(":", "", "."), fc.constantFrom("", "%eth0"))
			.map(([separator, zone]) => parts.join(separator) + zone),
	);

test("property: texts are addresses where the platform says so, and those that the library reads", () => {
	fc.assert(
		fc.property(fc.oneof(nearly, fc.ipV6(), fc.ipV4()), (text) => {
			const parsed = parseAddress(text);
			expect(parsed !== undefined, text).toBe(isIP(text) !== 0);
			// the library takes ::1.2.3.4 for IPv4
			if (parsed === undefined || text.includes(".")) return;
			const reference = ipaddr.IPv6.parse(text.replace("%eth0", ""));
			const { parts } = reference;
			expect(parsed).toEqual(reference.isIPv4MappedAddress() ? parts.slice(6) : parts);
		}),
		{ numRuns: 2000 },
	);
});

test("property: an IPv4 address is read as its number, and nothing that is nearly one is", () => {
	const part = fc.oneof(
		fc.nat(300).map(String),
		fc.constantFrom("", "00", "01", "1e1", " 1", "-1"),
	);
	fc.assert(
		fc.property(fc.array(part, { minLength: 3, maxLength: 5 }), (parts) => {
			const text = parts.join(".");
			const expected =
				isIP(text) === 4 ? parts.reduce((number, each) => number * 256 + Number(each), 0) : -1;
			expect(ipv4Number(text)).toBe(expected);
		}),
	);
	expect(ipv4Number("255.255.255.255")).toBe(2 ** 32 - 1);
});

test("property: a text is in ranges where its address is", () => {
	const address = fc.oneof(
		fc.ipV4(),
		fc.ipV6(),
		fc.ipV4().map((text) => `::ffff:${text}`),
	);
	const range = fc
		.tuple(address, fc.nat(128))
		.map(([text, length]) => parseRange(`${text}/${length}`))
		.filter((each) => each !== undefined);
	fc.assert(
		fc.property(address, fc.array(range, { maxLength: 4 }), fc.nat(128), (text, ranges, length) => {
			const own = parseRange(`${text}/${text.includes(":") ? length : length % 33}`);
			const all = own === undefined ? ranges : [...ranges, own];
			const parsed = parseAddress(text);
			expect(parsed).toBeDefined();
			if (parsed === undefined) return;
			for (const each of [ranges, all]) {
				expect(textInRanges(text, each)).toBe(inRanges(parsed, each));
			}
			expect(textInRanges(`${text}.`, all)).toBeUndefined();
		}),
	);
});
