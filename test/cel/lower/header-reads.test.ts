/** Which nodes read one header whose name is known, and which variables are maps with a list for every text. */
import { expect, test } from "vitest";
import { headerReadOf, isListMap } from "../../../src/cel/lower/header-reads.ts";
import { checkedTree } from "../checked.ts";

const readOf = (source: string) => headerReadOf(checkedTree(source).expr);

test.each([
	["req.headers['X-A']", "requestHeaders", "x-a"],
	["req.headers.accept", "requestHeaders", "accept"],
	["has(res.headers.accept)", "responseHeaders", "accept"],
	["'Accept' in res.headers", "responseHeaders", "accept"],
	["getReqHeader('A')", "requestHeaders", "a"],
	// the Kelvin sign is no k
	["req.headers['\u212a']", "requestHeaders", "\u212a"],
])("%s reads lines", (source, lines, name) => {
	expect(readOf(source)).toMatchObject({ lines, name });
});

test.each(["req.headers[req.host]", "req.host in req.headers", "req.cookies['a']", "req.headers"])(
	"%s is no such read",
	(source) => {
		expect(readOf(source)).toBeUndefined();
	},
);

test("maps that have a list for every text", () => {
	expect(isListMap(checkedTree("req.cookies").expr)).toBe(true);
	expect(isListMap(checkedTree("req.content_type.parameters").expr)).toBe(false);
	expect(isListMap(checkedTree("{'a': [1]}").expr)).toBe(false);
});
