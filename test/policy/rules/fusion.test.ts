/** Rules asked in one go: a phase comes out as if each were asked alone, whatever earlier actions change. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Predicate } from "../../../src/cel/expression.ts";
import { compilePolicy } from "../../../src/policy/rules/compile.ts";
import { RuleFusion } from "../../../src/policy/rules/fusion.ts";
import { GuardIndex, ruleGuards } from "../../../src/policy/rules/guard-index.ts";
import { ATTRIBUTES, headerLines } from "../../cel/attributes.ts";
import { compilePredicate } from "../../cel/compiled.ts";
import { deciding, exchangeOf } from "../support.ts";

const predicateOf = (source: string): Predicate => {
	const compiled = compilePredicate(source, "inbound");
	if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
	return compiled.value;
};

const POOL = [
	"'x' in req.headers",
	"req.headers['x'].exists(v, v == '1')",
	"conn.geo.country_code == 'BR'",
	"req.headers['x'][0] == '1'",
	"req.method == 'POST'",
	"req.url.path == '/a'",
	"req.url.path.startsWith('/b')",
	"req.content_length > 5",
].map(predicateOf);

const rules = fc.array(fc.array(fc.constantFrom(...POOL), { maxLength: 3 }), { maxLength: 100 });
const exchanges = fc
	.record({
		method: fc.constantFrom("GET", "POST"),
		path: fc.constantFrom("/a", "/b/c", "/"),
		requestContentLength: fc.constantFrom(0, 9),
		x: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
	})
	.map(({ path, x, ...rest }) => ({
		...ATTRIBUTES,
		...rest,
		url: { ...ATTRIBUTES.url, path },
		requestHeaders: headerLines(x === undefined ? [] : [["x", x]]),
	}));

test("property: no rule that applies or fails is passed over, and of those that can be asked no other is left", () => {
	fc.assert(
		fc.property(rules, fc.array(exchanges, { minLength: 1, maxLength: 3 }), (list, requests) => {
			const guards = list.map(ruleGuards);
			const unguarded = list.map((rule, at) => (guards[at]?.length === 0 ? rule : []));
			const index = new GuardIndex(guards, new RuleFusion(unguarded));
			for (const request of requests) {
				index.select(request);
				const found: number[] = [];
				for (let at = index.next(0, request); at >= 0; at = index.next(at + 1, request)) {
					found.push(at);
				}
				const may = list.flatMap((rule, at) => {
					const first = rule.find((each) => each.evaluate(request) !== true);
					return first === undefined || first.evaluate(request) !== false ? [at] : [];
				});
				expect(may.filter((at) => !found.includes(at))).toEqual([]);
				const needless = found.filter((at) => {
					const rule = list[at] ?? [];
					return !may.includes(at) && rule.every(({ canFail }) => !canFail);
				});
				expect(needless.filter((at) => guards[at]?.length === 0)).toEqual([]);
			}
		}),
		{ numRuns: 150 },
	);
});

test("a few rules are asked one by one", () => {
	const rule = [predicateOf("'x' in req.headers")];
	expect(RuleFusion.pays([rule, rule])).toBe(false);
	expect(RuleFusion.pays(Array.from({ length: 8 }, () => rule))).toBe(true);
	const failing = [predicateOf("req.headers['x'][0] == '1'")];
	expect(RuleFusion.pays(Array.from({ length: 100 }, () => failing))).toBe(false);
	const fusion = new RuleFusion([...Array.from({ length: 40 }, () => rule), failing]);
	expect(fusion.words).toBe(2);
	for (const word of [0, 1]) fusion.open(word);
	expect(fusion.mask(0, ATTRIBUTES)).toBe(0);
	expect(fusion.mask(1, ATTRIBUTES)).toBe(1 << 8);
	expect(fusion.mask(2, ATTRIBUTES)).toBe(-1);
});

test("a rule that samples applies as often as it says, among many others", () => {
	const others = Array.from({ length: 40 }, (_, at) => ({
		name: "",
		expressions: [`'x-${at}' in req.headers`],
		actions: [{ type: "deny" as const, config: {} }],
	}));
	const sampled = {
		name: "",
		expressions: ["rand.double() < 0.5"],
		actions: [{ type: "deny" as const, config: {} }],
	};
	const policy = compilePolicy(
		{ enabled: true, inbound: [...others, sampled], outbound: [] },
		{
			edgeId: "e",
			routeId: "r",
			limiters: { open: () => deciding(() => 0), release() {} },
			expressionErrors: "reject",
		},
	);
	let denied = 0;
	for (let request = 0; request < 4000; request++) {
		if (policy.inbound(exchangeOf()).kind === "deny") denied++;
	}
	// half of them, give or take 32; what is 15 times as far off does not happen in the life of the universe
	expect(denied).toBeGreaterThan(1500);
	expect(denied).toBeLessThan(2500);
});
