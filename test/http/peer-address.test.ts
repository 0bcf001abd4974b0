/** The one spelling of a peer's address, whoever had its place in the table before. */
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, it } from "vitest";
import { addressOf } from "../../src/http/peer-address.ts";

/** Few different ones, so that many share a place or differ in one number only. */
const byte = fc.oneof(fc.constantFrom(0, 1, 127, 255), fc.nat(255));
const mapped = (ipv4: readonly number[]): number[] => [...new Array(10).fill(0), 255, 255, ...ipv4];

it.each([
	[[10, 0, 0, 1], "10.0.0.1"],
	[[255, 255, 255, 255], "255.255.255.255"],
	[mapped([10, 0, 0, 1]), "10.0.0.1"],
	[[...new Array(15).fill(0), 1], "::1"],
	[[0x20, 0x01, 0x0d, 0xb8, ...new Array(11).fill(0), 0xaa], "2001:db8::aa"],
	[[], ""],
])("%j is %s", (bytes, text) => {
	expect(addressOf(new Uint8Array(bytes).buffer)).toBe(text);
});

it("has one spelling for each address, as another library prints it", () => {
	const ipv4 = fc.array(byte, { minLength: 4, maxLength: 4 });
	const ipv6 = fc.array(byte, { minLength: 16, maxLength: 16 });
	const address = fc.oneof(ipv4, ipv4.map(mapped), ipv6);
	fc.assert(
		fc.property(fc.array(address, { minLength: 1, maxLength: 20 }), (addresses) => {
			for (const bytes of [...addresses, ...addresses]) {
				const { buffer } = new Uint8Array(bytes);
				const expected = ipaddr.process(ipaddr.fromByteArray(bytes).toString()).toString();
				expect(addressOf(buffer)).toBe(expected);
				expect(addressOf(buffer)).toBe(expected);
			}
		}),
	);
});

it("keeps many apart", () => {
	for (let round = 0; round < 2; round++) {
		for (let each = 0; each < 5000; each++) {
			const bytes = [10, each >> 12, (each >> 4) & 255, each & 15];
			expect(addressOf(new Uint8Array(bytes).buffer)).toBe(bytes.join("."));
		}
	}
});
