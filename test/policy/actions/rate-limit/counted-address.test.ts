import fc from "fast-check";
import { expect, test } from "vitest";
import { inRanges, parseAddress, parseRange } from "../../../../src/http/ip-address.ts";
import { countedAddress } from "../../../../src/policy/actions/rate-limit/counted-address.ts";

test.each([
	["192.0.2.1", 64, "192.0.2.1"],
	["192.0.2.1", 1, "192.0.2.1"],
	["2001:db8::1", 64, "2001:db8::/64"],
	["2001:db8:0:0:ffff:ffff:ffff:ffff", 64, "2001:db8::/64"],
	["2001:db8:0:1::1", 64, "2001:db8:0:1::/64"],
	["2001:db8:0:1::1", 63, "2001:db8::/63"],
	["2001:db8::1", 128, "2001:db8::1"],
	["2001:db8::3", 127, "2001:db8::2/127"],
	["ffff::1", 1, "8000::/1"],
	["no: address", 64, "no: address"],
])("%s counted by %i bits is %s", (ip, prefix, counted) => {
	expect(countedAddress(ip, prefix)).toBe(counted);
	expect(countedAddress(ip, prefix), "asked again").toBe(counted);
});

test("two addresses count as one exactly where they are in the same network", () => {
	const words = fc.array(fc.constantFrom(0x2001, 1, 0, 0x8000, 0xffff), {
		minLength: 8,
		maxLength: 8,
	});
	const text = (one: readonly number[]) => one.map((word) => word.toString(16)).join(":");
	fc.assert(
		fc.property(words, words, fc.integer({ min: 1, max: 127 }), (one, other, prefix) => {
			const range = parseRange(`${text(one)}/${prefix}`);
			const address = parseAddress(text(other));
			if (range === undefined || address === undefined || range.network.length === 2) return;
			const isIn = inRanges(address, [range]);
			const counted = [one, other].map((each) => countedAddress(text(each), prefix));
			expect(counted[0] === counted[1]).toBe(isIn);
		}),
	);
});
