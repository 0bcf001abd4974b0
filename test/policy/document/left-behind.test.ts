/** Expressions may read what an action before them has left, and nothing else (contract 4, "Results and variables"). */
import { expect, test } from "vitest";
import { documentOf, problemsOf } from "../support.ts";

const LIMIT = { type: "rate-limit", config: { capacity: 1, rate: "60s" } };
const set = (vars: unknown[]) => ({ type: "set-vars", config: { vars } });
const says = (text: string) => ({ type: "log", config: { metadata: { said: text } } });
const when = (expression: string) => ({
	expressions: [expression],
	actions: [{ type: "log", config: {} }],
});

test("results of an action can be read behind it: in its rule, in later rules, in outbound rules", () => {
	const read = "actions.rate_limit.limited";
	const document = {
		inbound: [{ actions: [LIMIT, says(`\${${read}}`)] }, when(read)],
		outbound: [when(`has(${read}) && actions.ngrok.rate_limit.retry_after > 5`)],
	};
	expect(problemsOf(document)).toEqual([]);
});

test("and not before it", () => {
	const read = "actions.rate_limit.limited";
	expect(problemsOf({ inbound: [{ expressions: [read], actions: [LIMIT] }] })).toEqual([
		"/inbound/0/expressions/0 unknown_variable: no action before this place runs rate-limit, so actions.rate_limit is never there; put a rule with rate-limit before it (line 1, column 9)",
	]);
	expect(problemsOf({ inbound: [{ actions: [says(`\${${read}}`), LIMIT] }] })).toEqual([
		expect.stringContaining(
			"/inbound/0/actions/0/config/metadata/said unknown_variable: no action",
		),
	]);
});

test.each([
	["actions.rate_limit.limitd", 'rate-limit leaves no "limitd"; did you mean "limited"?'],
	["actions.log.x", "log leaves no"],
	["actions.deny.x", "deny leaves nothing; these leave results: rate_limit, "],
	["actions.rate_limits.limited", 'there is no action "rate_limits"; did you mean "rate_limit"?'],
	["vars.teir == 'x'", 'nothing before this place sets vars.teir; did you mean "tier"?'],
	["vars.tier == 5", "cannot compare string with int"],
	["vars.tier", "yields string, where a rule needs a bool"],
	["vars.limit > 'a'", 'operator ">" does not take int and string'],
	["vars['tier'] == 'gold'", "vars cannot be indexed; only lists and maps can"],
	["'tier' in vars", '"in" looks into a list or a map, not into vars'],
	["vars.exists(name, name == 'tier')", "a macro runs over a list or a map, not over vars"],
	["actions['rate_limit'].limited", "actions cannot be indexed; only lists and maps can"],
	["'rate_limit' in actions", '"in" looks into a list or a map, not into actions'],
])("%s is refused", (expression, message) => {
	const before = { actions: [LIMIT, says("x"), set([{ tier: "gold" }, { limit: 5 }])] };
	const [problem = "", ...others] = problemsOf({ inbound: [before, when(expression)] });
	expect(others).toEqual([]);
	expect(problem).toContain("/inbound/1/expressions/0 ");
	expect(problem).toContain(message);
});

test.each([
	"has(vars.tier)",
	"vars.?tier.hasValue()",
	"vars.?tier.orValue('') == 'gold'",
	"actions.?rate_limit.?limited.orValue(false)",
])("%s reads what may not be there", (expression) => {
	const before = { actions: [LIMIT, set([{ tier: "gold" }])] };
	expect(problemsOf({ inbound: [before, when(expression)] })).toEqual([]);
});

test("what an expression decides may be of any type, and two types are any", () => {
	const vars = set([
		{ a: "${req.host}" },
		{ b: 1 },
		{ b: "text" },
		{ c: 1.5 },
		{ d: [1] },
		{ e: {} },
	]);
	const rules = ["vars.a", "vars.b", "vars.c > 1.0", "size(vars.d) > 0", "has(vars.e.x)"].map(when);
	expect(problemsOf({ inbound: [{ actions: [vars] }, ...rules] })).toEqual([]);
});

test("within a set-vars a later variable sees an earlier one", () => {
	expect(problemsOf({ inbound: [{ actions: [set([{ a: 1 }, { b: "${vars.a + 1}" }])] }] })).toEqual(
		[],
	);
	expect(problemsOf({ inbound: [{ actions: [set([{ b: "${vars.a}" }, { a: 1 }])] }] })).toEqual([
		expect.stringContaining(
			"/inbound/0/actions/0/config/vars/0/b unknown_variable: nothing before",
		),
	]);
});

test("the same text is judged at each of its places", () => {
	const found = problemsOf({
		inbound: [when("has(vars.a)"), { actions: [set([{ a: 1 }])] }, when("has(vars.a)")],
	});
	expect(found).toEqual([expect.stringContaining("/inbound/0/expressions/0 unknown_variable")]);
	expect(() =>
		documentOf({ inbound: [{ actions: [set([{ a: 1 }])] }, when("has(vars.a)")] }),
	).not.toThrow();
});
