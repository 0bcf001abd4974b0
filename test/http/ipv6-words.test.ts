/** The quick reader of IPv6 agrees with the one that reads every form. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressText, parseAddress } from "../../src/http/ip-address.ts";
import { readIpv6 } from "../../src/http/ipv6-words.ts";

/** What `parseAddress` says, in the same form; undefined where it says that this is no IPv6 address. */
function expected(text: string): readonly number[] | undefined {
	const words = parseAddress(text);
	if (words === undefined) return undefined;
	const all = words.length === 2 ? [0, 0, 0, 0, 0, 0xffff, ...words] : words;
	return [0, 2, 4, 6].map((at) => (all[at] ?? 0) * 65_536 + (all[at + 1] ?? 0));
}

function found(text: string): readonly number[] | undefined {
	const into = new Uint32Array(4);
	return readIpv6(text, into) ? [...into] : undefined;
}

function agree(text: string): void {
	expect([text, found(text)]).toEqual([text, expected(text)]);
}

test.each([
	["::"],
	["::1"],
	["1::"],
	["2001:db8::ffff:0:1"],
	["2001:DB8:1:2:3:4:5:6"],
	["1:2:3:4:5:6:7::"],
	["::2:3:4:5:6:7:8"],
	["1::3:4:5:6:7:8"],
	["::ffff:a00:1"],
	...[
		"",
		":",
		":::",
		"1",
		"1:",
		":1",
		"1:2:3:4:5:6:7",
		"1:2:3:4:5:6:7:8:9",
		"1::2::3",
		"1:::2",
	].map((text) => [text]),
	...["12345::", "g::", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "::1:"].map(
		(text) => [text],
	),
])("%s", (text) => agree(text));

test("what it doesn't read, it says so of", () => {
	for (const text of ["fe80::1%eth0", "::ffff:10.0.0.1", "10.0.0.1"])
		expect(found(text)).toBeUndefined();
});

test("any address in weir's spelling, and any text near one", () => {
	const word = fc.oneof(fc.constantFrom(0, 1, 0xffff), fc.integer({ min: 0, max: 0xffff }));
	const spelled = fc.array(word, { minLength: 8, maxLength: 8 }).map(addressText);
	fc.assert(fc.property(spelled, agree), { numRuns: 2000 });
	const near = fc
		.array(fc.constantFrom(":", "::", "0", "f", "ffff", "1", "abc"), { maxLength: 20 })
		.map((parts) => parts.join(""));
	fc.assert(fc.property(near, agree), { numRuns: 5000 });
});
