import { describe, expect, test } from "vitest";
import { warningsOf } from "./support.ts";

const DENY = { type: "deny" };
const lines = (value: unknown): string[] =>
	warningsOf(value).map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);
const expressions = (...sources: string[]): unknown => ({
	inbound: [{ expressions: sources, actions: [DENY] }],
});
const rewrite = (from: string): unknown => ({
	inbound: [{ actions: [{ type: "url-rewrite", config: { from, to: "x" } }] }],
});
const keyed = (...bucket_key: string[]): unknown => ({
	inbound: [
		{ actions: [{ type: "rate-limit", config: { capacity: 1, rate: "60s", bucket_key } }] },
	],
});

describe("expressions", () => {
	test("that are the same for every request", () => {
		expect(lines(expressions("true", "1 > 2"))).toEqual([
			"/inbound/0/expressions/0 constant_expression: is always true",
			"/inbound/0/expressions/1 constant_expression: is never true",
		]);
	});

	test("that compare whole header lines where a part is meant", () => {
		expect(lines(expressions("!('Bot' in req.headers.referer)"))[0]).toContain(
			"write req.headers.referer.exists(v, v.contains('Bot'))",
		);
		expect(lines(expressions("'Bot' in req.headers['user-agent']"))).toEqual([
			"/inbound/0/expressions/0 exact_header_match: matches a header line that is exactly 'Bot'; for a part of it write req.headers['user-agent'].exists(v, v.contains('Bot'))",
		]);
	});

	test.each([
		["req.method == 'GET' && \"a\\\"b\" in getReqHeader( 'x' )", '"a\\"b"'],
		["!('it' in req.headers[\"x\"])", "'it'"],
	])("also %s", (source, literal) => {
		expect(lines(expressions(source))).toEqual([expect.stringContaining(`exactly ${literal};`)]);
	});

	test("and no others", () => {
		for (const source of [
			"req.method == 'GET'",
			"req.method in ['GET']",
			"'x' in req.headers",
			"req.method == \"'x' in req.headers['h']\"",
			"req.headers['h'].exists(v, v.contains('x'))",
		]) {
			expect(lines(expressions(source))).toEqual([]);
		}
	});
});

describe("patterns that are anchored to a path", () => {
	test.each(["^/path", "^(/a)", "(?i)^/a", "(^/a)", "^\\/a", "\\A/a", "^(?:/a)"])("%s", (from) => {
		expect(lines(rewrite(from))).toEqual([
			expect.stringContaining("/inbound/0/actions/0/config/from anchored_path: "),
		]);
	});

	test.each(["/path", "^http://[^/]+/a", "^.*/a", "a^/b", "[^/]+/a"])("not %s", (from) => {
		expect(lines(rewrite(from))).toEqual([]);
	});
});

test("rate limits keyed on what any client can change", () => {
	expect(
		lines(keyed("conn.client_ip", "req.headers['X-Key']", "req.host", "req.headers['host']")),
	).toEqual([
		'/inbound/0/actions/0/config/bucket_key/1 client_controlled_key: any client can change the header "x-key" and get a bucket of its own',
	]);
});

test("rules that are never reached", () => {
	expect(lines({ inbound: [{ actions: [DENY] }, { actions: [DENY] }] })).toEqual([
		"/inbound/1 unreachable_rule: is never reached: rule 0 ends every exchange before it",
	]);
});
