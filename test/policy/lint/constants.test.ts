/** Comparisons that no request meets, wherever the constant stands; which those are is in operand-values.test. */
import { expect, test } from "vitest";
import { said } from "./support.ts";

test.each([
	["req.method == 'get'", "req.method is never 'get': methods are in upper case; write 'GET'"],
	["'get' == req.method", "req.method is never 'get': methods are in upper case; write 'GET'"],
	["req.method != 'get'", "req.method is never 'get': methods are in upper case; write 'GET'"],
	[
		"!(req.method in ['GET', 'post'])",
		"req.method is never 'post': methods are in upper case; write 'POST'",
	],
	[
		"conn.client_ip in ['10.0.0.0/8', '192.0.2.1']",
		"conn.client_ip is never '10.0.0.0/8': an address is no range; write inCidrRange(conn.client_ip, '10.0.0.0/8')",
	],
	[
		"req.host.endsWith('.Example.com')",
		"req.host never ends with '.Example.com': hosts are in lower case; write '.example.com'",
	],
	[
		"req.url.startsWith('/api')",
		"req.url never starts with '/api': it is the whole URL, from its scheme on; write req.url.path or req.url.uri",
	],
	[
		"req.url.matches('^/api')",
		"req.url never matches '^/api': it is the whole URL, from its scheme on; write req.url.path or req.url.uri",
	],
	[
		"['a.example', 'B.example'].exists(h, req.host == h) || req.host == 'B.example'",
		"req.host is never 'B.example': hosts are in lower case; write 'b.example'",
	],
	[
		"req.host.lowerAscii() == 'Example.com'",
		"req.host.lowerAscii() is never 'Example.com': its letters are all of one case; write 'example.com'",
	],
	[
		"req.method.lowerAscii() in ['GET']",
		"req.method.lowerAscii() is never 'GET': its letters are all of one case; write 'get'",
	],
	[
		"req.headers['x'].exists(v, v.lowerAscii().contains('Bot'))",
		"v.lowerAscii() never contains 'Bot': its letters are all of one case; write 'bot'",
	],
	[
		"(req.method + 'x').upperAscii() == 'getx'",
		"it is never 'getx': its letters are all of one case; write 'GETX'",
	],
])("%s", (source, message) => {
	expect(said(source)).toEqual([`impossible_constant: ${message}`]);
});

test("each constant is told, and once", () => {
	expect(said("req.method == 'get' || req.method == 'put' || req.method == 'get'")).toHaveLength(2);
	expect(said("conn.geo.country_code in ['UK', 'de', 'FR']")).toHaveLength(2);
});

test.each([
	"req.method == 'GET'",
	"req.method in ['GET', 'PURGE', 'foo']",
	"'get' == 'GET' || req.method == 'GET'",
	"req.method + 'x' == 'get'",
	"req.method == req.host",
	"req.headers['x'].exists(method, method == 'get')",
	"req.method.lowerAscii() == 'get'",
	"req.user_agent.lowerAscii().matches('Bot')",
	"req.method == ''.lowerAscii() || 'x' in []",
])("nothing of %s", (source) => {
	expect(said(source)).toEqual([]);
});

test("a long constant is cut", () => {
	const [message = ""] = said(`conn.client_ip == '${"x".repeat(5000)}'`);
	expect(message.length).toBeLessThan(300);
});
