/** Rules asked in one function answer as they do when asked one by one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attributes } from "../../../src/cel/attributes.ts";
import type { Predicate } from "../../../src/cel/expression.ts";
import { FUSED_RULES } from "../../../src/cel/lower/fuse.ts";
import { fusePredicates, isFusible } from "../../../src/cel/program.ts";
import { ATTRIBUTES, headerLines } from "../attributes.ts";
import { compilePredicate } from "../compiled.ts";

const SOURCES = [
	"req.method == 'POST'",
	"req.method in ['GET', 'PUT', 'POST', 'HEAD', 'PATCH', 'TRACE']",
	"'x-a' in req.headers && req.headers['x-a'].exists(v, v == '1')",
	"req.headers.accept.all(v, v != 'no')",
	"req.url.path.startsWith('/v0/') || req.host == 'example.com'",
	"conn.geo.country_code in ['BR', 'CN']",
	"inCidrRange(conn.client_ip, '203.0.113.0/24')",
	"size(req.headers['x-a']) == 1",
	"[1, 2, 3].exists(x, x == 2 && req.method == 'POST')",
	"req.content_length > 100",
	"!('y' in req.headers)",
	"req.headers.accept[0] == 'text/html'",
	"1 / req.content_length == 0",
];

const PREDICATES: readonly Predicate[] = SOURCES.map((source) => {
	const compiled = compilePredicate(source, "inbound");
	if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
	return compiled.value;
});

const rule = fc.array(fc.constantFrom(...PREDICATES), { maxLength: 3 });
const rules = fc.array(rule, { minLength: 1, maxLength: FUSED_RULES });
const exchange = fc
	.record({
		method: fc.constantFrom("GET", "POST", "DELETE"),
		host: fc.constantFrom("example.com", "other"),
		clientIp: fc.constantFrom("203.0.113.9", "192.0.2.1"),
		requestContentLength: fc.constantFrom(0, 5, 500),
		headers: fc.array(
			fc.tuple(fc.constantFrom("x-a", "accept", "y"), fc.constantFrom("1", "no", "text/html")),
			{ maxLength: 4 },
		),
	})
	.map(({ headers, ...rest }): Attributes => {
		return { ...ATTRIBUTES, ...rest, requestHeaders: headerLines(headers) };
	});

test("property: as one by one; those that may fail are left to be asked", () => {
	fc.assert(
		fc.property(rules, fc.array(exchange, { minLength: 1, maxLength: 4 }), (list, exchanges) => {
			const fused = fusePredicates(list);
			expect(fused === undefined).toBe(!list.some(isFusible));
			for (const attributes of exchanges) {
				const bits = fused?.(attributes) ?? -1;
				for (const [at, predicates] of list.entries()) {
					const applies = predicates.every((each) => each.evaluate(attributes) === true);
					const expected = !isFusible(predicates) || applies;
					expect(((bits >>> at) & 1) === 1, predicates.map((p) => p.source).join(" ; ")).toBe(
						expected,
					);
				}
			}
		}),
		{ numRuns: 150 },
	);
});

test("rules share what they read", () => {
	let reads = 0;
	const attributes: Attributes = {
		...ATTRIBUTES,
		requestHeaders: {
			names: () => [],
			lines: () => {
				reads++;
				return ["1"];
			},
		},
	};
	const compiled = compilePredicate("req.headers['x-a'].exists(v, v == '2')", "inbound");
	if (!compiled.ok) throw new Error("refused");
	const { value } = compiled;
	const fused = fusePredicates(Array.from({ length: FUSED_RULES }, () => [value]));
	expect(fused?.(attributes)).toBe(0);
	expect(reads).toBe(1);
});

test("what asks for chance is asked once, when its rule's turn has come", () => {
	for (const source of ["rand.double() < 0.5", "req.method == 'POST' && rand.int(1, 2) == 1"]) {
		const compiled = compilePredicate(source, "inbound");
		if (!compiled.ok) throw new Error("refused");
		expect(isFusible([compiled.value])).toBe(false);
	}
});
