/** Which literals are a client's address as it is spelled, and which ranges hold one. */
import { expect, it } from "vitest";
import { addressesIn, rangesIn } from "../../../src/cel/guard/address-tests.ts";
import { rangeText } from "../../../src/http/address-range.ts";

it("takes addresses in their one spelling, for no other text is ever equal to a client's", () => {
	const texts = ["192.0.2.7", "192.0.2.07", "2001:db8::1", "2001:DB8::1", "::ffff:192.0.2.7", "x"];
	expect(addressesIn(texts).map(rangeText)).toEqual(["192.0.2.7", "2001:db8::1"]);
});

it("takes ranges as they are meant, host bits and mapped addresses included", () => {
	const ranges = rangesIn(["10.9.8.7/8", "::ffff:192.0.2.0/120", "2001:db8::5/32", "0.0.0.0/0"]);
	expect(ranges?.map(rangeText)).toEqual([
		"10.0.0.0/8",
		"192.0.2.0/24",
		"2001:db8::/32",
		"0.0.0.0/0",
	]);
	expect(rangesIn(["10.0.0.0/8", "10.0.0.0"])).toBeUndefined();
	expect(rangesIn(undefined)).toBeUndefined();
});
