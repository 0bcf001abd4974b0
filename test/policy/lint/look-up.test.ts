/** All spellings of a look-up are the same list, and nothing else is one. */
import { expect, test } from "vitest";
import { askedFor, keyOf, lookUpOf } from "../../../src/policy/lint/look-up.ts";
import { checked } from "./support.ts";

test.each([
	["req.headers['X-A']", "req.headers x-a"],
	["req.headers.referer", "req.headers referer"],
	["getReqHeader('X-a')", "req.headers x-a"],
	["res.headers['x']", "res.headers x"],
	["req.url.query_params['Page']", "req.url.query_params Page"],
	["getQueryParam('Page')", "req.url.query_params Page"],
	["req.cookies['Sid']", "req.cookies Sid"],
	["req.content_encoding", "req.content_encoding"],
	["req.headers[req.method]", undefined],
	["req.trailers['x']", undefined],
	["req.headers['x'][0]", undefined],
	["{'x': ['a']}['x']", undefined],
])("%s", (source, key) => {
	expect(lookUpOf(checked(source))?.key).toBe(key);
	expect(askedFor(checked(source))).toBeUndefined();
});

test.each([
	["'X' in req.headers", "req.headers x"],
	["has(req.headers.x)", "req.headers x"],
	["hasReqHeader('X')", "req.headers x"],
	["hasQueryParam('X')", "req.url.query_params X"],
	["'X' in req.cookies", "req.cookies X"],
	["'x' in ['x']", undefined],
	["req.method in req.headers", undefined],
])("%s", (source, key) => {
	expect(askedFor(checked(source))?.key).toBe(key);
	expect(lookUpOf(checked(source))).toBeUndefined();
});

test("a key", () => {
	expect(keyOf("res.headers", "ETag")).toBe("res.headers etag");
});
