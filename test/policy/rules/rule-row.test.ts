/** A phase's rules in one row decide as the rules' expressions do by themselves. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beginInline, endInline, OUT_OF_BUDGET } from "../../../src/cel/evaluation.ts";
import { isSuspension, type Predicate } from "../../../src/cel/expression.ts";
import { codeInRow } from "../../../src/cel/program.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import {
	APPLIES,
	actionsIn,
	copyOf,
	DOES_NOT,
	decide,
	expressionsIn,
	nextStart,
	rowOf,
	startIn,
	startsIn,
	Undecided,
} from "../../../src/policy/rules/rule-row.ts";
import { exchangeOf } from "../support.ts";

const predicateOf = (source: string): Predicate => {
	const compiled = new Compiler().predicate(source, "inbound");
	if (!compiled.ok) throw new Error(source);
	return compiled.value;
};

const isInRow = (predicate: Predicate): boolean => codeInRow(predicate) !== undefined;

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
	"req.url.path.contains('/b')",
	"req.url.path.contains('nowhere')",
	"req.url.path.matches('b[0-9]*$')",
];
const URLS = ["http://h/a/b", "http://h/c", "http://other/a", `http://h/${"b".repeat(60_000)}`];

/** What the rule's expressions come to from the first on, each asked in turn. */
function expected(predicates: readonly Predicate[], url: string, first: number): unknown {
	for (const [at, predicate] of predicates.entries()) {
		if (at < first) continue;
		if (!isInRow(predicate)) return at;
		const result = predicate.evaluate(exchangeOf({ url }));
		if (result === false) return DOES_NOT;
		if (result === true) continue;
		return new Undecided(at, isSuspension(result) ? OUT_OF_BUDGET : result);
	}
	return APPLIES;
}

/** @param rules of each the expressions, and how many actions there are */
const rowWith = (rules: readonly (readonly [readonly Predicate[], number])[]) =>
	rowOf(rules.map(([predicates, length]) => ({ predicates, actions: { length } })));

describe("a row", () => {
	test("property: decides each rule as its expressions do, however often and in what order it is asked", () => {
		const rule = fc.array(fc.constantFrom(...SOURCES), { maxLength: 4 });
		const asked = fc.array(fc.tuple(fc.nat(9), fc.constantFrom(...URLS), fc.nat(4)), {
			maxLength: 12,
		});
		fc.assert(
			fc.property(fc.array(rule, { minLength: 1, maxLength: 6 }), asked, (sources, turns) => {
				const rules = sources.map((each) => each.map(predicateOf));
				const row = rowWith(rules.map((each, at) => [each, at % 3]));
				for (const [at, each] of rules.entries()) {
					const start = startIn(row, at);
					expect(expressionsIn(row, start)).toBe(each.length);
					expect(nextStart(row, start) - actionsIn(row, start)).toBe(at % 3);
				}
				const starts = startsIn(row, rules.length);
				for (const [n, url, before] of turns) {
					const at = n % rules.length;
					expect(startIn(row, at)).toBe(starts[at]);
					const first = Math.min(before, rules[at]?.length ?? 0);
					expect(decide(row, starts[at] ?? -1, exchangeOf({ url }), first)).toEqual(
						expected(rules[at] ?? [], url, first),
					);
				}
				expect(startIn(row, rules.length)).toBe(row.length);
			}),
			{ numRuns: 150 },
		);
	});

	test("begins each rule where the one before it ends", () => {
		const row = rowWith([
			[[predicateOf("req.method == 'GET'")], 1],
			[[], 2],
			[[predicateOf("rand.double() < 2.0")], 0],
		]);
		const second = nextStart(row, 0);
		expect(nextStart(row, second)).toBe(actionsIn(row, second) + 2);
		expect(decide(row, second, exchangeOf())).toBe(APPLIES);
		// chance is asked by itself
		expect(decide(row, nextStart(row, second), exchangeOf())).toBe(0);
	});

	test("is copied with the sets that are in it made once, and other actions", () => {
		const few = predicateOf("req.method == 'GET'");
		const many = predicateOf("req.url.path in ['/a', '/b', '/c', '/d', '/e', '/f']");
		const row = rowWith([[[few, many], 1]]);
		const copies = [copyOf(row), copyOf(row)];
		for (const each of [row, ...copies])
			expect(decide(each, 0, exchangeOf({ url: "http://h/a" }))).toBe(APPLIES);
		const setsOf = (each: readonly unknown[]) => each.filter((cell) => cell instanceof Set);
		expect(setsOf(row)).toHaveLength(1);
		for (const copy of copies) expect(setsOf(copy)[0]).toBe(setsOf(row)[0]);
		(copies[0] ?? [])[actionsIn(row, 0)] = "another";
		expect(copies[1]).toEqual(row);
	});

	test("leaves out what can suspend or fails differently each time", () => {
		expect(isInRow(predicateOf("req.method == 'GET'"))).toBe(true);
		expect(isInRow(predicateOf("int(req.host) > 3"))).toBe(true);
		expect(isInRow(predicateOf("rand.double() < 0.5"))).toBe(false);
	});

	test("tells of a heavy expression that it is out of time, and counts what it took, once", () => {
		const row = rowWith([
			[["req.method == 'GET'", "req.url.path.contains('xy')"].map(predicateOf), 1],
		]);
		expect(decide(row, 0, exchangeOf({ url: "http://h/xy" }))).toBe(APPLIES);
		expect(decide(row, 0, exchangeOf({ url: "http://h/x" }))).toBe(DOES_NOT);
		const long = exchangeOf({ url: `http://h/${"x".repeat(60_000)}` });
		beginInline(LIMITS.requestInlineNanoseconds);
		expect(decide(row, 0, long)).toEqual(new Undecided(1, OUT_OF_BUDGET));
		expect(LIMITS.requestInlineNanoseconds - endInline()).toBe(LIMITS.heavyInlineNanoseconds);
		beginInline(0);
		const short = exchangeOf({ url: "http://h/xy" });
		expect(decide(row, 0, short)).toEqual(new Undecided(1, OUT_OF_BUDGET));
		expect(endInline()).toBe(0);
	});
});
