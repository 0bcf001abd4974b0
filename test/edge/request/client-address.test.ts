import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TrustedProxies } from "../../../src/edge/request/client-address.ts";

describe("TrustedProxies", () => {
	const proxies = new TrustedProxies([
		"10.0.0.0/8",
		"192.0.2.7",
		"2001:db8::/32",
		"::ffff:172.16.0.0/108",
	]);

	it.each([
		["10.255.0.1", true],
		["11.0.0.1", false],
		["192.0.2.7", true],
		["192.0.2.8", false],
		["2001:db8:1::1", true],
		["2001:db9::1", false],
		["::ffff:10.1.1.1", true],
		["172.16.5.5", true],
		["172.32.0.1", false],
		["", false],
		["garbage", false],
	])("trusts %s: %s", (address, expected) => {
		expect(proxies.trusts(address)).toBe(expected);
	});

	it("has bytes for the addon", () => {
		const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
		expect([...proxies.bytes()]).toEqual([
			...[...mapped, 10, 0, 0, 0, 104],
			...[...mapped, 192, 0, 2, 7, 128],
			...[0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32],
			...[...mapped, 172, 16, 0, 0, 108],
		]);
	});

	it.each([
		[["203.0.113.5"], "203.0.113.5"],
		[["198.51.100.1, 203.0.113.5"], "203.0.113.5"],
		[["203.0.113.5, 10.1.1.1"], "203.0.113.5"],
		[["203.0.113.5", "10.1.1.1,10.2.2.2"], "203.0.113.5"],
		[["10.1.1.1"], "10.1.1.1"],
		[["1.2.3.4, unknown, 10.1.1.1"], "10.1.1.1"],
		[["1.2.3.4, "], "1.2.3.4"],
		[["1.2.3.4, , "], "1.2.3.4"],
		[["1.2.3.4,10.0.0.1,"], "1.2.3.4"],
		[[",1.2.3.4,,\t,10.0.0.1,,"], "1.2.3.4"],
		[["1.2.3.4", "", "10.0.0.1", " , "], "1.2.3.4"],
		[["1.2.3.4,\u00a0,10.0.0.1"], "10.0.0.1"],
		[['1.2.3.4,"",10.0.0.1'], "10.0.0.1"],
		[[",,", ","], "10.9.9.9"],
		[[""], "10.9.9.9"],
		[[], "10.9.9.9"],
		[["203.0.113.5:4711"], "203.0.113.5"],
		[["[2001:db9::1]:80"], "2001:db9::1"],
		[["2001:DB9:0::1"], "2001:db9::1"],
		[["::ffff:203.0.113.5"], "203.0.113.5"],
		[['"203.0.113.5"'], "203.0.113.5"],
		[["010.0.0.1"], "10.9.9.9"],
		[["1.2.3"], "10.9.9.9"],
		[["1.2.3.4\t,10.0.0.1"], "1.2.3.4"],
	])("behind a trusted peer, %j means %s", (lines, expected) => {
		expect(proxies.clientBehind("10.9.9.9", lines)).toBe(expected);
	});

	it("finds the same client whatever empty elements stand between the others", () => {
		const elements = fc.array(fc.constantFrom("1.2.3.4", "10.0.0.1", "x", "2001:db8::1"));
		const empty = fc.array(fc.constantFrom("", " ", "\t "), { maxLength: 3 });
		fc.assert(
			fc.property(elements, empty, (full, between) => {
				const plain = proxies.clientBehind("10.9.9.9", [full.join(",")]);
				const padded = full.flatMap((element) => [...between, element]).concat(between);
				expect(proxies.clientBehind("10.9.9.9", [padded.join(",")])).toBe(plain);
				expect(proxies.clientBehind("10.9.9.9", padded)).toBe(plain);
			}),
		);
	});

	it("never takes an address that stands left of an untrusted one, whatever a client wrote there", () => {
		const forged = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 5 });
		fc.assert(
			fc.property(forged, (entries) => {
				const line = [...entries, "203.0.113.5", "10.1.1.1"].join(", ");
				expect(proxies.clientBehind("10.9.9.9", [line])).toBe("203.0.113.5");
			}),
		);
	});

	it.each([
		"",
		"10.0.0.0/33",
		"10.0.0/8",
		"x",
		"10.0.0.0/-1",
		"10.0.0.0/8/8",
		"::/129",
		"10.0.0.0/",
	])("refuses the range %j by name", (text) => {
		expect(() => new TrustedProxies([text])).toThrow(JSON.stringify(text));
	});

	it("trusts nobody without ranges", () => {
		expect(new TrustedProxies([]).trusts("127.0.0.1")).toBe(false);
	});
});
