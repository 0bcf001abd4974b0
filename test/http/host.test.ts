/** The one spelling of a host, for everybody who reads one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostSpelling } from "../../src/http/host.ts";
import { parseAuthority } from "../../src/http/target.ts";
import { canonicalHostport, parseHostport } from "../../src/store/hostport.ts";

describe("hostSpelling", () => {
	it.each([
		["Name", "name"],
		["name.", "name"],
		["A.B.Example.", "a.b.example"],
		["192.0.2.1", "192.0.2.1"],
		["[0:0::1]", "[::1]"],
		["[::FFFF:1.2.3.4]", "[::ffff:102:304]"],
		["\u212aelvin", "\u212aelvin"],
	])("%s is %s", (text, spelling) => {
		expect(hostSpelling(text)).toBe(spelling);
	});

	it.each(["", ".", "..", "name..", "a..b", ".name", "..name", "[", "[]", "[::1", "[fe80::1%1]"])(
		"there is none for %j",
		(text) => {
			expect(hostSpelling(text)).toBeUndefined();
		},
	);
});

it("a request's host and an edge's hostport are spelled alike, and are refused for the same labels", () => {
	const host = fc
		.array(fc.constantFrom("a", "B", ".", ".", "xn--c", "[::1]", "[0::1]", "1"), { maxLength: 6 })
		.map((parts) => parts.join(""));
	fc.assert(
		fc.property(host, (text) => {
			const authority = parseAuthority(text);
			const hostport = parseHostport(text);
			expect(authority?.host).toBe(hostport && canonicalHostport(hostport));
		}),
		{ numRuns: 2000 },
	);
});
