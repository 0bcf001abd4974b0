/** Expressions that are certain although they read the request, told at compile time. */
import { describe, expect, it } from "vitest";
import { compilePredicate } from "../compiled.ts";

function constantOf(source: string): boolean | undefined {
	const compiled = compilePredicate(source, "inbound");
	if (!compiled.ok) throw new Error(compiled.error[0]?.message);
	return compiled.value.constant;
}

describe("certain", () => {
	it.each([
		["req.method == 'GET' || true", true],
		["true || req.headers['a'][0] == 'b'", true],
		["req.method == 'GET' || 1 < 2", true],
		["!(req.method == 'GET' && false)", true],
		["req.method == 'GET' && false", false],
		["req.method == 'GET' && ('a' in ['b', 'c'])", false],
		["req.method == 'GET' && req.method == 'POST'", false],
		["req.method == 'GET' && req.url.port == 1 && 'POST' == req.method", false],
		["(req.method == 'GET' || true) && (false || 2 == 2)", true],
		["1 == 1", true],
	])("%s", (source, truth) => {
		expect(constantOf(source)).toBe(truth);
	});
});

describe("not certain", () => {
	it.each([
		"req.method == 'GET'",
		"req.method == 'GET' || false",
		"req.method == 'GET' && true",
		"req.method == 'GET' || req.method == 'POST'",
		"req.method == 'GET' && req.host == 'POST'",
		"req.method == 'GET' && req.method == 'GET'",
		"req.method == 'GET' && !(req.method == 'POST')",
		"req.headers['a'].exists(v, v == 'x' && v == 'x')",
		"rand.int(0, 1) == 0 && req.method == 'GET'",
	])("%s", (source) => {
		expect(constantOf(source)).toBeUndefined();
	});
});
