/** What grows with its operands is charged for, in the library's functions as in ours. */
import { expect, test } from "vitest";
import { ATTRIBUTES } from "./attributes.ts";
import { resultOf } from "./sources.ts";

const LONG = { ...ATTRIBUTES, url: { ...ATTRIBUTES.url, query: "a,".repeat(30_000) } };

test.each([
	"req.url.query.contains(x + 'b')",
	"req.url.query < x",
	"req.url.query.endsWith('b' + x)",
	"x in req.url.query.split(',') && x == 'b'",
	"req.url.query.split(',') == [x]",
	"bytes(req.url.query) + bytes(x) == b''",
	"hash.sha256(req.url.query) == x",
	"req.url.query.lowerAscii() == x",
	"req.url.query.replace('q', x) == x",
	"req.url.query.matches('a{100}' + x)",
	"json.decode('[' + req.url.query + '1]') == x",
	"base64.encode(req.url.query) == x",
	"inCidrRanges(conn.client_ip, req.url.query.split(','))",
])("a loop of %s over many elements ends", (body) => {
	const source = `req.url.query.split(',').exists(x, ${body})`;
	expect(resultOf(source, LONG)).toMatch(/^(failure|refused): /);
});

test("what is short costs nothing worth counting", () => {
	const source = "req.url.query.split(',').all(x, x.contains('') && x + 'b' != 'c' && size(x) < 2)";
	expect(resultOf(source, LONG)).toBe("bool true");
});
