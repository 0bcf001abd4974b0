/** set-vars (contract 5): in order, with types, bounded, all or nothing. */
import { describe, expect, test } from "vitest";
import { copyAttributes } from "../../../src/cel/attributes-copy.ts";
import { isSuspension } from "../../../src/cel/expression.ts";
import { settle } from "../../../src/cel/settle.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { compiled, exchangeOf, type Given, problemsOf } from "../support.ts";

const set = (...vars: unknown[]) => ({ type: "set-vars", config: { vars } });
const show = (text: string) => ({
	type: "custom-response",
	config: { content: text, content_type: "text/plain" },
});

function shown(vars: unknown[], text: string, given: Given = {}): string {
	const policy = compiled({ inbound: [{ actions: [set(...vars), show(text)] }] });
	const exchange = exchangeOf(given);
	const outcome = policy.inbound(exchange);
	if (outcome.kind === "respond") return outcome.content;
	return `${outcome.kind}: ${exchange.failures.map(({ message }) => message).join()}`;
}

describe("values", () => {
	test.each<[unknown, string, string]>([
		["gold", "vars.x + '!'", "gold!"],
		["${req.method}", "vars.x", "GET"],
		["${1 + 1}", "vars.x + 1", "3"],
		["${['a', 'b']}", "vars.x[1]", "b"],
		["${timestamp('2026-01-02T00:00:00Z')}", "vars.x.getFullYear()", "2026"],
		["a ${1 + 1} b", "vars.x.size()", "5"],
		["$${x}", "vars.x", "${x}"],
		[5, "vars.x + 1", "6"],
		[1.5, "vars.x * 2.0", "3"],
		[true, "!vars.x", "false"],
		[null, "vars.x == null", "true"],
		[[1, "${req.method}"], "vars.x", '[1,"GET"]'],
		[{ a: { b: "${req.method}" }, c: 2 }, "vars.x.a.b + string(vars.x.c)", "GET2"],
	])("%j read as %s is %s", (value, expression, text) => {
		expect(shown([{ x: value }], `\${${expression}}`)).toBe(text);
	});

	test("a later variable sees an earlier one, and setting again replaces", () => {
		const vars = [{ a: 1 }, { b: "${vars.a + 1}" }, { a: "${vars.b * 10}" }];
		expect(shown(vars, "${vars.a} ${vars.b}")).toBe("20 2");
	});

	test("what depends on the request is worked out for each", () => {
		const policy = compiled({
			inbound: [{ actions: [set({ m: "${req.method}" })] }],
			outbound: [{ actions: [show("${vars.m}")] }],
		});
		const [first, second] = [exchangeOf({ method: "PUT" }), exchangeOf()];
		policy.inbound(first);
		policy.inbound(second);
		expect(policy.outbound(first)).toMatchObject({ content: "PUT" });
		expect(policy.outbound(second)).toMatchObject({ content: "GET" });
	});
});

describe("failures", () => {
	test("an expression that fails sets nothing", () => {
		const policy = compiled(
			{
				inbound: [
					{ actions: [set({ a: 1 }, { b: "${req.headers['x'][0]}" })] },
					{ actions: [show("${has(vars.a)} ${has(vars.b)}")] },
				],
			},
			{ expressionErrors: "skip" },
		);
		expect(policy.inbound(exchangeOf())).toMatchObject({ content: "false false" });
	});

	test("values that are too large fail closed, and so do too many", () => {
		const headers = [["x", "v".repeat(LIMITS.varBytes)] as const];
		const value = "${req.headers['x'].join(',')}";
		expect(shown([{ a: value }], "${size(vars.a)}", { headers })).toBe(String(LIMITS.varBytes));
		expect(shown([{ a: `${value}!` }], "${vars.a}", { headers })).toBe(
			"failed: vars.a takes more than the 16384 bytes there are",
		);
		const many = Array.from({ length: 17 }, (_, at) => ({ [`v${at}`]: value }));
		const all = many.map((_, at) => `\${size(vars.v${at})}`).join(" ");
		expect(shown(many, all, { headers })).toMatch(/^failed: vars.v1\d takes more than the 262144/);
	});
});

test("a value that waits for a thread goes on with it, what was set before included", () => {
	const heavy =
		"req.headers.map(a, req.headers.filter(b, req.headers.all(c, a + b + c != vars.first))).size()";
	const policy = compiled({
		inbound: [
			{
				actions: [
					set(
						{ first: "${req.method}" },
						{ second: `\${${heavy}}` },
						{ third: "${vars.second + 1}" },
					),
					show("${vars.first} ${vars.second} ${vars.third}"),
				],
			},
		],
	});
	const headers = Array.from({ length: 60 }, (_, at) => [`x-${at}`, "v"] as const);
	const exchange = exchangeOf({ headers });
	let outcome = policy.inbound(exchange);
	let waits = 0;
	while (outcome.kind === "suspended") {
		waits++;
		const { suspension } = outcome.run;
		expect(isSuspension(suspension)).toBe(true);
		const attributes = structuredClone(copyAttributes(exchange, suspension.reads));
		const settled = settle({ ...suspension, attributes });
		outcome = policy.resume(exchange, outcome.run, structuredClone(settled));
	}
	expect(waits).toBe(1);
	expect(outcome).toMatchObject({ kind: "respond", content: "GET 60 61" });
});

test.each<[unknown, string]>([
	[{}, "/inbound/0/actions/0/config/vars required: missing"],
	[{ vars: [] }, "/inbound/0/actions/0/config/vars too_small"],
	[{ vars: [{}] }, "/inbound/0/actions/0/config/vars/0 invalid_variable: must have one entry"],
	[
		{ vars: [{ a: 1, b: 2 }] },
		"/inbound/0/actions/0/config/vars/0 invalid_variable: must have one",
	],
	[
		{ vars: [{ "a-b": 1 }] },
		'/inbound/0/actions/0/config/vars/0 invalid_variable: "a-b" is no name',
	],
	[{ vars: [5] }, "/inbound/0/actions/0/config/vars/0 wrong_type"],
	[{ vars: [{ a: "${" }] }, "/inbound/0/actions/0/config/vars/0/a template_syntax"],
	[
		{ vars: [{ a: "x".repeat(16_385) }] },
		"/inbound/0/actions/0/config/vars/0/a too_big: takes more",
	],
	[
		{ vars: Array.from({ length: 33 }, () => ({ a: 1 })) },
		"/inbound/0/actions/0/config/vars too_big: must have at most 32 elements, has 33",
	],
])("%j is refused", (config, problem) => {
	const found = problemsOf({ inbound: [{ actions: [{ type: "set-vars", config }] }] });
	expect(found.join("\n")).toContain(problem.split(":")[0]);
	expect(found.length).toBe(1);
});
