/** Guards found in expressions: which, and that the expression is false wherever one does not hold. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attributes } from "../../../src/cel/attributes.ts";
import { check } from "../../../src/cel/check/check.ts";
import { Scope } from "../../../src/cel/check/scope.ts";
import type { Guard } from "../../../src/cel/expression.ts";
import { guardHolds } from "../../../src/cel/guard/algebra.ts";
import { guardsOf } from "../../../src/cel/guard/guard.ts";
import { parse } from "../../../src/cel/parse/parse.ts";
import { ATTRIBUTES } from "../attributes.ts";
import { compilePredicate } from "../compiled.ts";

function guardsIn(source: string): readonly Guard[] {
	const parsed = parse(source);
	if (!parsed.ok) throw new Error(`${source}: ${parsed.fault.message}`);
	const scope = new Scope(parsed.tree, "inbound");
	const { expr } = check(scope, parsed.expr);
	if (scope.faults.length > 0) throw new Error(`${source}: ${scope.faults[0]?.message}`);
	return guardsOf(expr);
}

/** `method=GET,POST path^/a,/b` */
const shown = (guards: readonly Guard[]): string =>
	guards
		.map(({ attribute, test, values }) => `${attribute}${test === "equals" ? "=" : "^"}${values}`)
		.join(" ");

describe("guards", () => {
	it.each([
		["req.method == 'GET'", "method=GET"],
		["'GET' == req.method", "method=GET"],
		["req.method in ['GET', 'POST', 'GET']", "method=GET,POST"],
		["req.host == 'a' || req.host == 'b' || 'c' == req.host", "host=a,b,c"],
		["req.url.path == '/x'", "path=/x"],
		["req.url.path.startsWith('/x') || req.url.path.startsWith('/y')", "path^/x,/y"],
		["req.url.path.startsWith('/x') || req.url.path == '/y'", "path^/x,/y"],
		["req.url.path.matches('^/api/v[12]/')", "path^/api/v"],
		["matches(req.url.path, '^/ap?')", "path^/a"],
		["req.method == 'GET' && req.url.path == '/x' && 'a' in req.headers", "method=GET path=/x"],
		["req.headers['a'][0] == 'b' && req.method == 'GET'", "method=GET"],
		["req.method in ['GET', 'PUT'] && req.method in ['PUT', 'POST']", "method=PUT"],
		[
			"(req.method == 'GET' && req.host == 'a') || (req.method == 'PUT' && req.url.path == '/x')",
			"method=GET,PUT",
		],
		["['/x', '/y'].exists(p, req.url.path.startsWith(p))", "path^/x,/y"],
		["['/x', '/y'].exists(p, p == req.url.path && req.method == 'GET')", "path=/x,/y method=GET"],
		["['a'].exists(p, ['b'].exists(p, req.host == p))", "host=b"],
		["['a', 'b'].exists(p, [p, p].exists(q, req.host in [q]))", "host=a,b"],
		["req.method in []", "method="],
	])("%s → %s", (source, expected) => {
		expect(shown(guardsIn(source))).toBe(expected);
	});

	it.each([
		"req.method != 'GET'",
		"!(req.method == 'GET')",
		"req.method == 'GET' || req.host == 'a'",
		"req.method == 'GET' ? true : false",
		"req.url.host == 'a'",
		"req.url.path.startsWith('')",
		"req.url.path.endsWith('/x')",
		"'/x'.startsWith(req.url.path)",
		"req.url.path.matches('/api')",
		"req.url.path.matches('^/a|b')",
		"req.url.path.matches('(?i)^/api')",
		"req.url.path.matches('^a?b')",
		"req.method == req.host",
		"req.headers['a'].exists(v, req.method == 'GET')",
		"['a', req.host].exists(v, v == req.method)",
		"['a', 'b'].all(v, v == req.method)",
		"['a', 'b'].exists_one(v, v == req.method)",
		"req.headers['h'].exists(v, ['x'].exists(v, v == 'x') && v == req.method)",
	])("%s has none", (source) => {
		expect(guardsIn(source)).toEqual([]);
	});
});

const METHODS = ["GET", "POST", "^/a"];
const PATHS = ["/a", "/ab", "/b", "GET"];
const atom = fc.constantFrom(
	"req.method == 'GET'",
	"'POST' == req.method",
	"req.method in ['GET', '^/a']",
	"req.url.path == '/a'",
	"req.url.path.startsWith('/a')",
	"req.url.path.matches('^/ab*')",
	"req.url.path.matches('^/a[b]')",
	"['/a', 'GET'].exists(p, req.url.path == p)",
	"['/a', 'GET'].exists(p, p == req.method || req.url.path.startsWith(p))",
	"['GET'][1] == 'GET'",
	"['GET'][1].startsWith('G')",
	"req.host == 'a'",
	"true",
	"false",
);
const expressions: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
	any: fc.oneof(
		{ depthSize: "small", withCrossShrink: true },
		atom,
		fc.tuple(tie("any"), tie("any")).map(([left, right]) => `(${left} && ${right})`),
		fc.tuple(tie("any"), tie("any")).map(([left, right]) => `(${left} || ${right})`),
		tie("any").map((operand) => `!(${operand})`),
		tie("any").map((body) => `['/a', '/b'].exists(p, req.url.path.startsWith(p) && ${body})`),
		fc.tuple(tie("any"), tie("any")).map(([left, right]) => `(${left} ? ${right} : false)`),
	),
})).any;

describe("where a guard does not hold", () => {
	it("the expression is false, and never fails", () => {
		fc.assert(
			fc.property(expressions, (source) => {
				const guards = guardsIn(source);
				const compiled = compilePredicate(source, "inbound");
				if (!compiled.ok) throw new Error(source);
				for (const method of METHODS) {
					for (const path of PATHS) {
						const of = { method, path, host: "b" };
						if (guards.every((guard) => guardHolds(guard, of[guard.attribute]))) continue;
						const url = { ...ATTRIBUTES.url, path };
						const attributes: Attributes = { ...ATTRIBUTES, method, host: "b", url };
						expect([source, compiled.value.evaluate(attributes)]).toEqual([source, false]);
					}
				}
			}),
		);
	});
});
