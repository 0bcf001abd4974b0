/** A rule with `enforce: false` reports what its actions would have done, and nothing comes of it (contract 4). */
import { expect, test } from "vitest";
import { CountingLimiters, compiled, documentOf, exchangeOf, warningsOf } from "../support.ts";

const rule = (...actions: object[]) => ({ enforce: false, actions });

test.each<[string, object, boolean]>([
	["deny", { type: "deny" }, true],
	["custom-response", { type: "custom-response", config: { content: "x" } }, true],
	["url-rewrite", { type: "url-rewrite", config: { from: "/$", to: "/new" } }, true],
	["url-rewrite", { type: "url-rewrite", config: { from: "/nowhere", to: "/new" } }, false],
	["log", { type: "log", config: { metadata: { a: "b" } } }, true],
	["set-vars", { type: "set-vars", config: { vars: [{ a: 1 }] } }, true],
])("%s", (type, action, reports) => {
	const policy = compiled({
		inbound: [
			rule(action),
			{ actions: [{ type: "log", config: { metadata: { set: "${has(vars.a)}" } } }] },
		].slice(0, type === "set-vars" ? 2 : 1),
	});
	const exchange = exchangeOf({ url: "http://h/" });
	expect(policy.inbound(exchange).kind).toBe("continue");
	expect(exchange.reported).toEqual(reports ? [`0 ${type}`] : []);
	expect(exchange.url.full).toBe("http://h/");
	expect(exchange.logs).toEqual(type === "set-vars" ? [{ set: "false" }] : []);
	expect(exchange.report).toBeUndefined();
});

test("a rate-limit counts, and reports what is over it; the rule's later actions would not have run", () => {
	const limit = { type: "rate-limit", config: { capacity: 1, rate: "60s" } };
	const deny = { type: "deny" };
	const policy = compiled({ inbound: [rule(limit, deny)] }, { limiters: new CountingLimiters() });
	const [first, second] = [exchangeOf(), exchangeOf()];
	expect([policy.inbound(first).kind, policy.inbound(second).kind]).toEqual([
		"continue",
		"continue",
	]);
	expect([first.reported, second.reported]).toEqual([["0 deny"], ["0 rate-limit"]]);
});

test("failures are reported, and the rules behind go on", () => {
	const fails = "${req.headers['x'][0]}";
	const policy = compiled({
		inbound: [
			{ ...rule({ type: "deny" }), expressions: ["req.headers['x'][0] == ''"] },
			rule({ type: "log", config: { metadata: { fails } } }, { type: "deny" }),
			{ actions: [{ type: "log", config: { metadata: { came: "here" } } }] },
		],
	});
	const exchange = exchangeOf();
	expect(policy.inbound(exchange).kind).toBe("continue");
	expect(exchange.failures.map(({ place }) => place.ruleIndex)).toEqual([0, 1]);
	expect([exchange.reported, exchange.logs]).toEqual([[], [{ came: "here" }]]);
});

test("the field is echoed only if it was submitted, and such a rule ends nothing for the lints", () => {
	const actions = [{ type: "deny" }];
	const [plain] = documentOf({ inbound: [{ actions }] }).inbound;
	const [enforced] = documentOf({ inbound: [{ enforce: true, actions }] }).inbound;
	expect([plain, enforced].map((each) => each && "enforce" in each)).toEqual([false, true]);
	expect(warningsOf({ inbound: [rule({ type: "deny" }), { actions }] })).toEqual([]);
	expect(warningsOf({ inbound: [{ actions }, { actions }] })).toHaveLength(1);
});
