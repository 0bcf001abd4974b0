/** What is made of attributes is made once for an exchange, and anew when the attributes change. */
import { expect, test } from "vitest";
import type { Attributes, HeaderLines } from "../../../src/cel/attributes.ts";
import {
	queryParams,
	requestCookies,
	responseCookies,
	responseHeaderMap,
	responseMediaParameters,
} from "../../../src/cel/values/derived.ts";
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
	const cookies = requestCookies(exchange);
	expect(cookies.has("theme")).toBe(true);
	expect(requestCookies(exchange)).toBe(cookies);
	expect(requestCookies(exchange).has("session")).toBe(true);
	expect(reads).toEqual(["cookie"]);
});

test("query parameters follow a rewritten URL", () => {
	const exchange = { ...ATTRIBUTES };
	const before = queryParams(exchange);
	expect(queryParams(exchange)).toBe(before);
	expect(before.get("x")).toEqual(["1", "2"]);
	const rewritten = { ...ATTRIBUTES.url, query: "x=9" };
	Object.assign(exchange, { url: rewritten });
	expect(queryParams(exchange).get("x")).toEqual(["9"]);
});

test("the maps of a response follow the response", () => {
	const exchange = { ...ATTRIBUTES };
	expect(responseCookies(exchange).has("id")).toBe(true);
	const responseHeaders = headerLines([
		["set-cookie", "other=1"],
		["content-type", "text/plain; a=b"],
	]);
	Object.assign(exchange, { responseHeaders });
	expect(responseCookies(exchange).has("id")).toBe(false);
	expect(responseCookies(exchange).has("other")).toBe(true);
	expect(responseMediaParameters(exchange).get("a")).toBe("b");
	expect(responseHeaderMap(exchange).get("Content-Type")).toEqual(["text/plain; a=b"]);
});
