/** What is left of a document's rules when they are prepared, and where they say that they stand. */
import { expect, test } from "vitest";
import { compiled, exchangeOf } from "../support.ts";

const limit = (change: object = {}): unknown => ({
	type: "rate-limit",
	config: { capacity: 1, rate: "60s", ...change },
});

test("phases without rules that could apply are empty", () => {
	const rules = [{ expressions: ["1 > 2"], actions: [{ type: "log" }] }];
	const policy = compiled({ inbound: rules, outbound: [{ actions: [{ type: "log" }] }] });
	expect([policy.enabled, policy.inboundEmpty, policy.outboundEmpty]).toEqual([true, true, false]);
});

test("places name phase, rule, expression and action as they stand in the document", () => {
	const policy = compiled({
		inbound: [
			{ expressions: ["1 > 2"], actions: [{ type: "log" }] },
			{ name: "second", expressions: ["true"], actions: [{ type: "log" }, limit({ name: "l" })] },
		],
	});
	const exchange = exchangeOf();
	policy.inbound(exchange);
	policy.inbound(exchange);
	const place = {
		phase: "inbound",
		ruleIndex: 1,
		ruleName: "second",
		expressionIndex: -1,
		actionIndex: 1,
	};
	expect(exchange.exceeded).toEqual([{ place, name: "l", retryAfterMs: 1, enforced: true }]);
});
