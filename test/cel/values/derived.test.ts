/** What is made of attributes is made once for an exchange, and anew when the attributes change. */
import { expect, test } from "vitest";
import type { Attributes, HeaderLines } from "../../../src/cel/attributes.ts";
import { DERIVED } from "../../../src/cel/values/derived.ts";
import { ATTRIBUTES, headerLines } from "../attributes.ts";

const counting = (lines: HeaderLines, reads: string[]): HeaderLines => ({
	lines(name) {
		reads.push(name);
		return lines.lines(name);
	},
	names: () => lines.names(),
});

test("cookies are parsed once for all expressions of a policy", () => {
	const reads: string[] = [];
	const exchange: Attributes = {
		...ATTRIBUTES,
		requestHeaders: counting(ATTRIBUTES.requestHeaders, reads),
	};
	const cookies = DERIVED.requestCookies(exchange);
	expect(cookies.has("theme")).toBe(true);
	expect(DERIVED.requestCookies(exchange)).toBe(cookies);
	expect(DERIVED.requestCookies(exchange).has("session")).toBe(true);
	expect(reads).toEqual(["cookie"]);
});

test("query parameters follow a rewritten URL", () => {
	const exchange = { ...ATTRIBUTES };
	const before = DERIVED.queryParams(exchange);
	expect(DERIVED.queryParams(exchange)).toBe(before);
	expect(before.get("x")).toEqual(["1", "2"]);
	const rewritten = { ...ATTRIBUTES.url, query: "x=9" };
	Object.assign(exchange, { url: rewritten });
	expect(DERIVED.queryParams(exchange).get("x")).toEqual(["9"]);
});

test("the maps of a response follow the response", () => {
	const exchange = { ...ATTRIBUTES };
	expect(DERIVED.responseCookies(exchange).has("id")).toBe(true);
	expect(DERIVED.responseMediaType(exchange)).toBe("application/json");
	const responseHeaders = headerLines([
		["set-cookie", "other=1"],
		["content-type", "text/plain; a=b"],
	]);
	Object.assign(exchange, { responseHeaders });
	expect(DERIVED.responseCookies(exchange).has("id")).toBe(false);
	expect(DERIVED.responseCookies(exchange).has("other")).toBe(true);
	expect(DERIVED.responseMediaType(exchange)).toBe("text/plain");
	expect(DERIVED.responseMediaParameters(exchange).get("a")).toBe("b");
	expect(DERIVED.responseHeaderMap(exchange).get("Content-Type")).toEqual(["text/plain; a=b"]);
});

test("an endpoint's URL has a port where it is not the scheme's own", () => {
	const urlOf = (endpointProtocol: string, endpointPort: number): string =>
		DERIVED.endpointUrl({ ...ATTRIBUTES, endpointProtocol, endpointPort, endpointHost: "h" });
	expect(urlOf("https", 443)).toBe("https://h");
	expect(urlOf("http", 80)).toBe("http://h");
	expect(urlOf("https", 80)).toBe("https://h:80");
});
