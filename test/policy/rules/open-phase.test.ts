/** One document on several routes: each has actions, limits and counts of its own. */
import { expect, test } from "vitest";
import { type PreparedPolicy, preparePolicy } from "../../../src/policy/rules/compile.ts";
import { RuleCounts } from "../../../src/telemetry/traffic/rule-counts.ts";
import { CountingLimiters, documentOf, exchangeOf } from "../support.ts";

function prepared(inbound: unknown[]): PreparedPolicy {
	const steps = preparePolicy(documentOf({ inbound }));
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

const RULES = [
	{
		name: "limit",
		expressions: ["req.method in ['GET', 'PUT', 'POST', 'HEAD', 'PATCH']"],
		actions: [
			{ type: "rate-limit", config: { capacity: 1, rate: "60s" } },
			{ type: "rate-limit", config: { capacity: 1, rate: "60s" } },
		],
	},
	{ name: "end", expressions: ["req.host == 'h'"], actions: [{ type: "deny" }] },
];

test("routes with the same document share nothing that one of them changes", () => {
	const policy = prepared(RULES);
	const limiters = new CountingLimiters();
	const ruleCounts = new RuleCounts();
	const open = (routeId: string) =>
		policy.open({ edgeId: "e", routeId, limiters, ruleCounts, expressionErrors: "reject" });
	const [one, other] = [open("one"), open("other")];
	expect(one.inbound(exchangeOf()).kind).toBe("deny");
	expect(one.inbound(exchangeOf()).kind).toBe("limited");
	expect(other.inbound(exchangeOf()).kind).toBe("deny");
	expect(limiters.opened.map(({ routeId, ordinal }) => [routeId, ordinal])).toEqual([
		["one", 0],
		["one", 1],
		["other", 0],
		["other", 1],
	]);
	one.close();
	const third = open("third");
	expect(other.inbound(exchangeOf()).kind).toBe("limited");
	expect(third.inbound(exchangeOf()).kind).toBe("deny");
	const told = ruleCounts
		.take()
		.map(({ route, rule, matched, refused }) => [route, rule, matched, refused]);
	expect(told.toSorted()).toEqual([
		["one", 0, 2, 1],
		["one", 1, 1, 1],
		["other", 0, 2, 1],
		["other", 1, 1, 1],
		["third", 0, 1, 0],
		["third", 1, 1, 1],
	]);
});

test("closing one closes its limits, and no other's", () => {
	const policy = prepared(RULES);
	const limiters = new CountingLimiters();
	const open = (routeId: string) =>
		policy.open({ edgeId: "e", routeId, limiters, expressionErrors: "reject" });
	const policies = [open("one"), open("other")];
	for (const each of policies) each.inbound(exchangeOf());
	policies[0]?.close();
	expect(limiters.released.map(({ routeId }) => routeId)).toEqual(["one", "one"]);
});
