/** What is proposed where operands don't fit; each proposal that is a whole expression is one that fits. */
import { expect, test } from "vitest";
import { compilePredicate } from "../compiled.ts";

function messageOf(source: string): string {
	const compiled = compilePredicate(source, "outbound");
	return compiled.ok ? "fits" : (compiled.error[0]?.message ?? "");
}

test.each([
	["res.status_code < '200'", "200 without quotes"],
	["'300' < res.status_code", "300 without quotes"],
	["res.status_code == '404'", "404 without quotes"],
	["res.status_code in ['200', '201']", "[200, 201] without quotes"],
	["req.url.query_params['page'][0] == 1", "'1' in quotes"],
	["req.headers['x-retries'][0] > 5", "int(req.headers['x-retries'][0])"],
])("%s: write %s", (source, meant) => {
	expect(messageOf(source).endsWith(`; write ${meant}`)).toBe(true);
});

test.each([
	["req.headers['a'] == 'b'", "'b' in req.headers['a']"],
	["'b' == req.headers.a", "'b' in req.headers.a"],
	["req.headers['a'] != 'b'", "!('b' in req.headers['a'])"],
	["getReqHeader('A') == 'b'", "'b' in req.headers['A']"],
	["req.url.query_params['q'] == '1'", "'1' in req.url.query_params['q']"],
	["req.content_encoding == 'gzip'", "'gzip' in req.content_encoding"],
	["req.cookies['s'] == 'x'", "req.cookies['s'].exists(c, c.value == 'x')"],
	["res.cookies['s'] != 'x'", "!res.cookies['s'].exists(c, c.value == 'x')"],
	["req.headers['a'].contains('b')", "req.headers['a'].exists(v, v.contains('b'))"],
	["req.headers['a'].matches('^b')", "req.headers['a'].exists(v, v.matches('^b'))"],
	["req.headers['a'] in ['b', 'c']", "req.headers['a'].exists(v, v in ['b', 'c'])"],
])("%s: write %s", (source, meant) => {
	expect(messageOf(source).endsWith(`; write ${meant}`)).toBe(true);
	expect(messageOf(meant)).toBe("fits");
});

test.each(["req.cookies['s'][0] == 'x'", "'x' == req.cookies['s'][0]"])("%s", (source) => {
	expect(messageOf(source)).toContain("; write req.cookies['s'][0].value");
});

test.each(["1 == 'a'", "1 == '1'", "res.status_code == 'ok'", "req.headers == 'a'", "1 in ['a']"])(
	"%s: nothing is proposed",
	(source) => {
		expect(messageOf(source)).not.toContain("write");
		expect(messageOf(source)).not.toBe("fits");
	},
);
