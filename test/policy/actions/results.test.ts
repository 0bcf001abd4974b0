/** Results are kept where an expression of the policy reads them, under the name that expressions write. */
import { describe, expect, test } from "vitest";
import { isRead, isVariableRead, leave, resultName } from "../../../src/policy/actions/results.ts";
import { CountingLimiters, compiled, exchangeOf, openingContext } from "../support.ts";

const context = (...names: readonly string[]) => ({
	...openingContext(),
	resultsRead: new Set(names),
});

test("by the name of the action, or as a whole", () => {
	expect(resultName("restrict-ips")).toBe("restrict_ips");
	expect(isRead("rate-limit", context("actions.rate_limit"))).toBe(true);
	expect(isRead("rate-limit", context("actions"))).toBe(true);
	expect(isRead("rate-limit", context("vars"))).toBe(false);
	expect(isVariableRead("a", context("vars.a"))).toBe(true);
	expect(isVariableRead("a", context("vars"))).toBe(true);
	expect(isVariableRead("a", context("vars.b"))).toBe(false);
});

test("leave makes room for them", () => {
	const exchange = exchangeOf();
	leave(exchange, "rate-limit", { limited: true });
	expect(exchange.results?.actions.has("rate_limit")).toBe(true);
});

describe("rate-limit", () => {
	const limit = { type: "rate-limit", config: { capacity: 1, rate: "60s", enforce: false } };
	const shed = {
		expressions: ["actions.rate_limit.limited"],
		actions: [
			{
				type: "custom-response",
				config: { status_code: 503, content: "in ${actions.rate_limit.retry_after}" },
			},
		],
	};

	test("leaves what it decided, for both phases", () => {
		const policy = compiled(
			{ inbound: [{ actions: [limit] }, shed], outbound: [shed] },
			{ limiters: new CountingLimiters(5000) },
		);
		const first = exchangeOf();
		expect([policy.inbound(first).kind, policy.outbound(first).kind]).toEqual([
			"continue",
			"continue",
		]);
		expect(policy.inbound(exchangeOf())).toMatchObject({ kind: "respond", content: "in 5" });
	});

	test("keeps nothing where nobody reads it", () => {
		const exchange = exchangeOf();
		compiled({ inbound: [{ actions: [limit] }] }).inbound(exchange);
		expect(exchange.results).toBeUndefined();
	});
});
