/** `'x' in req.headers['h']` compares whole lines. */
import { expect, test } from "vitest";
import { said } from "./support.ts";

test.each([
	["!('Bot' in req.headers.referer)", "req.headers.referer.exists(v, v.contains('Bot'))"],
	["'Bot' in req.headers['user-agent']", "req.headers['user-agent'].exists(v, v.contains('Bot'))"],
	[
		"req.method == 'GET' && \"a'b\" in getReqHeader( 'x' )",
		"req.headers['x'].exists(v, v.contains('a\\'b'))",
	],
	["'a' in getResHeader('x')", "res.headers['x'].exists(v, v.contains('a'))"],
])("%s", (source, meant) => {
	expect(said(source)).toEqual([expect.stringMatching(/^exact_header_match: .* is exactly '/)]);
	expect(said(source)[0]?.endsWith(`write ${meant}`)).toBe(true);
});

test("is said once of an expression", () => {
	expect(said("'a' in req.headers['x'] || 'b' in req.headers['x']")).toHaveLength(1);
});

test.each([
	"'x' in req.headers",
	"req.method in ['GET']",
	"req.host == \"'x' in req.headers['h']\"",
	"req.headers['h'].exists(v, v.contains('x'))",
	"'1' in req.url.query_params['x']",
	"'gzip' in req.content_encoding",
	"req.method in req.headers['x']",
])("nothing of %s", (source) => {
	expect(said(source)).toEqual([]);
});
