/** What is written back is what was meant: parsed again it is the same. */
import { expect, test } from "vitest";
import { check } from "../../../src/cel/check/check.ts";
import { Scope } from "../../../src/cel/check/scope.ts";
import { parse } from "../../../src/cel/parse/parse.ts";
import type { Node } from "../../../src/cel/tree/node.ts";
import { written } from "../../../src/cel/tree/written.ts";

function checked(source: string): Node {
	const parsed = parse(source);
	if (!parsed.ok) throw new Error(parsed.fault.message);
	return check(new Scope(parsed.tree, "inbound"), parsed.expr).expr;
}

test.each([
	["req.method", "req.method"],
	["req.headers['x-a']", "req.headers['x-a']"],
	["getReqHeader('X-A')", "req.headers['X-A']"],
	['req.headers["it\'s"]', "req.headers['it\\'s']"],
	["req.headers.referer[0]", "req.headers.referer[0]"],
	["r'a\\b'", "'a\\\\b'"],
	["-1", "-1"],
	["true", "true"],
	["['a', 'b']", "['a', 'b']"],
	["req.cookies['s'][0].value", "req.cookies['s'][0].value"],
	["has(req.headers.x)", undefined],
	["req.method + 'x'", undefined],
	["1.5", undefined],
])("%s", (source, expected) => {
	const text = written(checked(source));
	expect(text).toBe(expected);
	if (text !== undefined) expect(written(checked(text))).toBe(text);
});
