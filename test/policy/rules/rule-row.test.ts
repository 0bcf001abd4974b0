/** A phase's rules in one row decide as the rules' expressions do by themselves. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Predicate } from "../../../src/cel/expression.ts";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import {
	APPLIES,
	DOES_NOT,
	decide,
	isInRow,
	nextStart,
	rowOf,
	startIn,
	startsIn,
} from "../../../src/policy/rules/rule-row.ts";
import { exchangeOf } from "../support.ts";

const predicateOf = (source: string): Predicate => {
	const compiled = new Compiler().predicate(source, "inbound");
	if (!compiled.ok) throw new Error(source);
	return compiled.value;
};

const SOURCES = [
	"req.method == 'GET'",
	"req.method == 'POST'",
	"req.url.path.startsWith('/a')",
	"req.url.path.matches('^/(a|b)/')",
	"req.url.path in ['/a/b', '/c', '/d', '/e', '/f', '/g']",
	"inCidrRange(conn.client_ip, '192.0.2.0/24')",
	"int(req.url.path) > 3",
	"rand.double() <= 1.0",
	"req.host == 'h' && req.method in ['GET', 'PUT']",
	"[1, 2, 3].exists(n, n == size(req.host))",
];
const URLS = ["http://h/a/b", "http://h/c", "http://other/a"];

/** What the rule's expressions come to, each asked in turn. */
function expected(predicates: readonly Predicate[], url: string): number {
	for (const [at, predicate] of predicates.entries()) {
		if (!isInRow(predicate)) return at;
		const result = predicate.evaluate(exchangeOf({ url }));
		if (result === false) return DOES_NOT;
		if (result !== true) return at;
	}
	return APPLIES;
}

describe("a row", () => {
	test("property: decides each rule as its expressions do, however often and in what order it is asked", () => {
		const rule = fc.array(fc.constantFrom(...SOURCES), { maxLength: 4 });
		const asked = fc.array(fc.tuple(fc.nat(9), fc.constantFrom(...URLS)), { maxLength: 12 });
		fc.assert(
			fc.property(fc.array(rule, { minLength: 1, maxLength: 6 }), asked, (sources, turns) => {
				const rules = sources.map((each) => each.map(predicateOf));
				const row = rowOf(rules);
				const starts = startsIn(row, rules.length);
				for (const [n, url] of turns) {
					const at = n % rules.length;
					expect(startIn(row, at)).toBe(starts[at]);
					expect(decide(row, starts[at] ?? -1, exchangeOf({ url }))).toBe(
						expected(rules[at] ?? [], url),
					);
				}
				expect(startIn(row, rules.length)).toBe(row.length);
			}),
			{ numRuns: 150 },
		);
	});

	test("begins each rule where the one before it ends", () => {
		const row = rowOf([
			[predicateOf("req.method == 'GET'")],
			[],
			[predicateOf("rand.double() < 2.0")],
		]);
		const second = nextStart(row, 0);
		expect(nextStart(row, second)).toBe(second + 1);
		expect(decide(row, second, exchangeOf())).toBe(APPLIES);
		// chance is asked by itself
		expect(decide(row, second + 1, exchangeOf())).toBe(0);
	});

	test("leaves out what can suspend or fails differently each time", () => {
		expect(isInRow(predicateOf("req.method == 'GET'"))).toBe(true);
		expect(isInRow(predicateOf("int(req.host) > 3"))).toBe(true);
		expect(isInRow(predicateOf("rand.double() < 0.5"))).toBe(false);
	});
});
