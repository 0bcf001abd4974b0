/** Every form of contract 2 is understood, spellings of one name fall together, mistakes are explained. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalHostport, hostportMistake, parseHostport } from "../../src/store/hostport.ts";

describe("parseHostport", () => {
	it.each([
		["example.com", "example.com", undefined, false],
		["Example.COM:443", "example.com", 443, false],
		["example.com.", "example.com", undefined, false],
		["*.example.com", "example.com", undefined, true],
		["*.Example.com:8443", "example.com", 8443, true],
		["*", "", undefined, true],
		["*:8080", "", 8080, true],
		["localhost", "localhost", undefined, false],
		["127.0.0.1:80", "127.0.0.1", 80, false],
		["[::1]:80", "[::1]", 80, false],
		["[2001:DB8:0:0::1]", "[2001:db8::1]", undefined, false],
		["xn--bcher-kva.example", "xn--bcher-kva.example", undefined, false],
		["my_host", "my_host", undefined, false],
	])("%s", (text, host, port, wildcard) => {
		expect(parseHostport(text)).toEqual({ host, port, wildcard });
	});

	it.each([
		["", "empty"],
		["http://example.com", "scheme"],
		["example.com/path", "path"],
		["bücher.example", "xn--"],
		["::1", "brackets"],
		["example.com:", "port"],
		["example.com:0", "port"],
		["example.com:65536", "port"],
		["example.com:080", "port"],
		["a*.example.com", "first label"],
		["*.*.example.com", "first label"],
		["**", "first label"],
		["*example.com", "first label"],
		["exa mple.com", "host name"],
		["-a.example.com", "host name"],
		["a..b", "host name"],
		[".", "host name"],
		["*.", "first label"],
		["[::1", "host name"],
		["[::g]", "host name"],
		["[fe80::1%eth0]", "host name"],
		["a@b", "host name"],
		["a\u0000b", "host name"],
		[`${"a".repeat(64)}.com`, "host name"],
		[`${"a.".repeat(127)}com`, "host name"],
	])("refuses %j and says %s", (text, word) => {
		expect(parseHostport(text)).toBeUndefined();
		expect(hostportMistake(text)).toContain(word);
	});

	it("gives every spelling of one hostport one canonical form, which it understands again", () => {
		const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
		const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."));
		const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
		fc.assert(
			fc.property(name, port, fc.boolean(), fc.boolean(), (host, number, wildcard, upper) => {
				const text = `${wildcard ? "*." : ""}${upper ? host.toUpperCase() : host}${number === undefined ? "" : `:${number}`}`;
				const parsed = parseHostport(text);
				expect(parsed).toEqual({ host, port: number, wildcard });
				if (parsed === undefined) return;
				expect(canonicalHostport(parsed)).toBe(text.toLowerCase());
				expect(parseHostport(canonicalHostport(parsed))).toEqual(parsed);
			}),
		);
	});

	it("never throws", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				if (parseHostport(text) === undefined) expect(hostportMistake(text)).not.toBe("");
			}),
		);
	});
});
