/** What lint tells of whole documents; of single expressions and actions in the tests of its folder. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { lines, places } from "./support.ts";

const DENY = { type: "deny" };
const expressions = (...sources: string[]): unknown => ({
	inbound: [{ expressions: sources, actions: [DENY] }],
});
const rule = (sources: readonly string[], ...actions: unknown[]): unknown => ({
	expressions: sources,
	actions,
});

test("expressions that are the same for every request", () => {
	expect(lines(expressions("true", "1 > 2"))).toEqual([
		"/inbound/0/expressions/0 constant_expression: is always true; leave it out",
		"/inbound/0/expressions/1 constant_expression: is never true: its rule never applies",
	]);
});

test("rules that are never reached", () => {
	expect(lines({ inbound: [{ actions: [DENY] }, { actions: [DENY] }] })).toEqual([
		"/inbound/1 unreachable_rule: is never reached: rule 0 ends every exchange before it",
	]);
});

test("every place where an expression may stand", () => {
	const bad = "${req.method == 'get'}";
	const actions = [
		{ type: "log", config: { metadata: { a: 1, b: bad } } },
		{ type: "url-rewrite", config: { from: "a", to: `b${bad}`, format: "cel" } },
		{
			type: "custom-response",
			config: { content: bad, headers: { "x-a": bad }, content_type: bad },
		},
	];
	const document = { inbound: [rule(["req.method == 'get'"], ...actions)] };
	const found = [
		"/inbound/0/expressions/0 impossible_constant",
		"/inbound/0/actions/0/config/metadata/b impossible_constant",
		"/inbound/0/actions/1/config/to impossible_constant",
		"/inbound/0/actions/2/config/content impossible_constant",
		"/inbound/0/actions/2/config/headers/x-a impossible_constant",
		"/inbound/0/actions/2/config/content_type impossible_constant",
	];
	expect(places(document)).toEqual(found);
	expect(places({ module: document })).toEqual(found.map((place) => `/module${place}`));
});

test("the same expression in both phases", () => {
	const each = [rule(["req.method == 'get'"], { type: "log" })];
	expect(places({ inbound: each, outbound: each })).toEqual([
		"/inbound/0/expressions/0 impossible_constant",
		"/outbound/0/expressions/0 impossible_constant",
	]);
});

test("as many as there is room for, and how many more there are", () => {
	const each = rule(["req.method == 'get'"], DENY);
	const found = lines({ inbound: Array.from({ length: 150 }, () => each) });
	expect(found).toHaveLength(LIMITS.problemsPerDocument);
	// from the second on, each rule is never reached as well
	expect(found.at(-1)).toBe(` more_warnings: and ${150 + 149 - 99} more warnings`);
	const wide = Array.from({ length: 300 }, (_, n) => `req.headers['x${n}'][0] == 'a'`);
	expect(lines(expressions(wide.join(" || "))).length).toBeLessThan(30);
});

describe("an index that may fail", () => {
	const HAS = "'x' in req.headers";
	const LACKS = "!('x' in req.headers)";
	const INDEX = "req.headers['x'][0] == 'a'";
	const LOG = { type: "log" };
	const FILLED = { type: "log", config: { metadata: { a: "${req.headers['x'][0]}" } } };
	const RESPOND = { type: "custom-response" };
	const REWRITE = { type: "url-rewrite", config: { from: "a", to: "b" } };
	const HAS_PARAMETER = "'p' in req.url.query_params";
	const PARAMETER = "req.url.query_params['p'][0] == 'a'";

	test.each<[string, unknown[], unknown[], string[]]>([
		["alone", [rule([INDEX], LOG)], [], ["/inbound/0/expressions/0"]],
		["before what makes sure", [rule([INDEX, HAS], LOG)], [], ["/inbound/0/expressions/0"]],
		["in an action alone", [rule([], FILLED)], [], ["/inbound/0/actions/0/config/metadata/a"]],
		[
			"behind another rule's condition",
			[rule([HAS], LOG), rule([INDEX], LOG)],
			[],
			["/inbound/1/expressions/0"],
		],
		[
			"behind a rule that may not apply",
			[rule([LACKS, "req.method == 'GET'"], DENY), rule([INDEX], LOG)],
			[],
			["/inbound/1/expressions/0"],
		],
		[
			"outbound behind an answer",
			[rule([LACKS], RESPOND)],
			[rule([INDEX], LOG)],
			["/outbound/0/expressions/0"],
		],
		[
			"outbound where an answer comes before the denial",
			[rule(["req.method == 'GET'"], RESPOND), rule([LACKS], DENY)],
			[rule([INDEX], LOG)],
			["/outbound/0/expressions/0"],
		],
		[
			"behind a rewrite of the query",
			[rule([`!(${HAS_PARAMETER})`], DENY), rule([], REWRITE), rule([PARAMETER], LOG)],
			[],
			["/inbound/2/expressions/0"],
		],
		[
			"outbound behind a rewrite of the query",
			[rule([`!(${HAS_PARAMETER})`], DENY), rule([], REWRITE)],
			[rule([PARAMETER], LOG)],
			["/outbound/0/expressions/0"],
		],
	])("%s", (_, inbound, outbound, pointers) => {
		expect(places({ inbound, outbound })).toEqual(
			pointers.map((pointer) => `${pointer} index_of_absent`),
		);
	});

	test.each<[string, unknown[], unknown[]]>([
		["behind what makes sure", [rule([HAS, INDEX], FILLED)], []],
		["behind a denial of all others", [rule([LACKS], DENY), rule([INDEX], FILLED)], []],
		["behind an answer to all others", [rule([LACKS], RESPOND), rule([INDEX], LOG)], []],
		[
			"behind a denial of more",
			[rule([`${LACKS} || req.method == 'PUT'`], DENY), rule([INDEX], LOG)],
			[],
		],
		[
			"behind a denial with more that is true",
			[rule(["true == true", LACKS], DENY), rule([INDEX], LOG)],
			[],
		],
		["outbound behind a denial", [rule([LACKS], DENY)], [rule([INDEX], LOG)]],
		[
			"behind a rewrite, of a header",
			[rule([LACKS], DENY), rule([], REWRITE), rule([INDEX], LOG)],
			[],
		],
	])("not %s", (_, inbound, outbound) => {
		expect(places({ inbound, outbound }).filter((place) => !/constant_expr/.test(place))).toEqual(
			[],
		);
	});
});
