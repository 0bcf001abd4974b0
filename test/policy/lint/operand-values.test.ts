/**
 * Which constants no request meets. Told of none that one may meet: whatever values requests have, they, their
 * beginnings, ends and parts are not complained of.
 */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { addressText, parseAddress } from "../../../src/http/ip-address.ts";
import { normalizePath } from "../../../src/http/path.ts";
import { parseAuthority, parseUrl } from "../../../src/http/target.ts";
import { MISTAKES, type Test } from "../../../src/policy/lint/operand-values.ts";

const mistake = (variable: string, value: string, test: Test = "equals"): string | undefined =>
	MISTAKES.get(variable)?.(value, test);

describe("equal to", () => {
	test.each([
		["req.method", "get", "write 'GET'"],
		["req.method", "Post", "write 'POST'"],
		["req.method", " GET", "write 'GET'"],
		["req.method", "GET,POST", "no method"],
		["req.method", "", "no method"],
		["conn.geo.country_code", "UK", "write 'GB'"],
		["conn.geo.country_code", "de", "write 'DE'"],
		["conn.geo.country_code", "USA", "write 'US'"],
		["conn.geo.country_code", "Germany", "ISO 3166"],
		["conn.geo.country_code", "EU", "ISO 3166"],
		["conn.geo.country_code", "US,CA", "ISO 3166"],
		["conn.client_ip", "10.0.0.0/8", "inCidrRange(conn.client_ip, '10.0.0.0/8')"],
		["conn.client_ip", "2001:DB8::/32", "inCidrRange(conn.client_ip, '2001:DB8::/32')"],
		["conn.client_ip", "10.0.*", "inCidrRange"],
		["conn.client_ip", "10.0.0.1-10.0.0.9", "inCidrRange"],
		["conn.client_ip", "localhost", "no IP address"],
		["conn.client_ip", "2001:DB8:0::1", "write '2001:db8::1'"],
		["conn.client_ip", "::ffff:192.0.2.1", "write '192.0.2.1'"],
		["conn.client_ip", "192.0.2.1:80", "no IP address"],
		["req.host", "Example.com", "write 'example.com'"],
		["req.host", "Example.com:8080", "write 'example.com'"],
		["req.host", "https://example.com", "no scheme"],
		["req.host", "*.Example.com", "req.host.endsWith('.example.com')"],
		["req.host", "example.com.", "write 'example.com'"],
		["req.url.host", "EXAMPLE.com", "write 'example.com'"],
		["req.url.scheme", "HTTPS", "'http' or 'https'"],
		["req.url.scheme", "https://", "'http' or 'https'"],
		["req.version", "HTTP/2.0", "'HTTP/1.1'"],
		["req.version", "1.1", "'HTTP/1.1'"],
		["req.url", "/api", "req.url.path"],
		["req.url", "example.com/api", "req.url.path"],
		["req.url.path", "api", "write '/api'"],
		["req.url.path", "/a?b=1", "req.url.uri"],
		["req.url.path", "https://h/a", "write req.url"],
		["req.url.path", "/a b", "'/a%20b'; write that"],
		["req.url.path", "/caf\u00e9", "'/caf%C3%A9'"],
		["req.url.path", "/a/../b", "'/b'"],
		["req.url.path", "/%7Ea", "'/~a'"],
		["req.url.path", "/a%2fb", "'/a%2Fb'"],
		["req.url.path", "/a#b", "no request"],
		["req.url.uri", "a?b", "slash"],
		["req.content_type", "application/json; charset=utf-8", ".raw"],
		["res.content_type", "Text/HTML", "write 'text/html'"],
		["endpoint.protocol", "tcp", "'http'"],
	])("%s: %j", (variable, value, words) => {
		expect(mistake(variable, value)).toContain(words);
	});
});

describe("with a part", () => {
	test.each<[string, Test, string, string]>([
		["req.host", "endsWith", ":8080", "req.url.port"],
		["req.host", "contains", "Example", "'example'"],
		["req.host", "startsWith", "https://", "no scheme"],
		["req.url", "startsWith", "/api", "req.url.path"],
		["req.url", "startsWith", "example.com", "req.url.path"],
		["req.url", "matches", "^/api", "req.url.path"],
		["req.url", "matches", "(?i)^\\/api", "req.url.path"],
		["req.url.path", "startsWith", "api/", "write '/api/'"],
		["req.url.path", "contains", "?x=", "req.url.uri"],
		["req.url.path", "contains", "a b", "'a%20b'"],
		["req.url.path", "matches", "^https://h/", "req.url.matches"],
		["req.url.uri", "startsWith", "api", "slash"],
		["req.content_type", "contains", "JSON", "'json'"],
		["req.content_type", "endsWith", "; charset=utf-8", ".raw"],
		["conn.client_ip", "startsWith", "10.0.0.0/8", "inCidrRange"],
	])("%s %s %j", (variable, test, value, words) => {
		expect(mistake(variable, value, test)).toContain(words);
	});
});

describe("nothing is said of what a request may have:", () => {
	const tests: readonly Test[] = ["startsWith", "endsWith", "contains"];
	const unmet = (variable: string, value: string, from: number, length: number): string[] => {
		const parts: Readonly<Record<string, string>> = {
			equals: value,
			startsWith: value.slice(0, length),
			endsWith: value.slice(from),
			contains: value.slice(from, from + length),
		};
		return ["equals" as const, ...tests].flatMap(
			(each) => mistake(variable, parts[each] ?? "", each) ?? [],
		);
	};
	const holds = (variable: string, values: fc.Arbitrary<string | undefined>): void => {
		fc.assert(
			fc.property(values, fc.nat(30), fc.nat(30), (value, from, length) => {
				if (value === undefined) return;
				expect(unmet(variable, value, from, length)).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	};
	const letters = fc.string({ unit: fc.constantFrom(..."aB0/.-_~%2F;:@ *?\u00e9[]{}") });
	const rawPath = letters.map((text) => `/${text}`);
	const authority = fc.oneof(
		fc.domain(),
		fc.ipV4(),
		fc.ipV6().map((text) => `[${text}]`),
		fc
			.tuple(fc.domain(), fc.integer({ min: 1, max: 65535 }))
			.map(([name, port]) => `${name}:${port}`),
	);

	it("paths", () => holds("req.url.path", rawPath.map(normalizePath)));
	it("hosts", () => {
		const hosts = authority.map((text) => parseAuthority(text)?.host);
		for (const variable of ["req.host", "req.url.host"]) holds(variable, hosts);
	});
	it("URLs", () => {
		const urls = fc
			.tuple(
				fc.constantFrom("http", "https"),
				authority,
				rawPath,
				fc.constantFrom("", "?a=/b", "??"),
			)
			.map(([scheme, name, path, query]) => parseUrl(`${scheme}://${name}${path}${query}`));
		holds(
			"req.url",
			urls.map((url) => url?.full),
		);
		holds(
			"req.url.uri",
			urls.map((url) => url?.uri),
		);
		holds(
			"req.url.scheme",
			urls.map((url) => url?.scheme),
		);
		holds(
			"req.url.path",
			urls.map((url) => url?.path),
		);
	});
	it("addresses", () => {
		const addresses = fc.oneof(fc.ipV4(), fc.ipV6()).map((text) => {
			const words = parseAddress(text);
			return words === undefined ? undefined : addressText(words);
		});
		holds("conn.client_ip", addresses);
	});
	it("media types", () =>
		holds("req.content_type", fc.constantFrom("application/json", "text/html", "", "a/b+c.d-e")));
	it("patterns", () => {
		for (const variable of MISTAKES.keys()) {
			for (const pattern of ["(?i)GET|UK", "[A-Z]+:8080", ".*/api", "^.*\\.JSON;"])
				expect(mistake(variable, pattern, "matches")).toBeUndefined();
		}
	});
	it("absent values", () => {
		for (const variable of ["conn.geo.country_code", "req.content_type", "req.host"])
			expect(mistake(variable, "")).toBeUndefined();
	});
});
