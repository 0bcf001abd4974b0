/** A policy in force says when it is no longer needed; `compile.test.ts` and its neighbours run its rules. */
import { expect, test } from "vitest";
import { compilePolicy } from "../../../src/policy/rules/compile.ts";
import { CountingLimiters, documentOf, exchangeOf } from "../support.ts";

test.each([true, false])("is kept until it is closed, once (enabled: %s)", (enabled) => {
	let keepers = 0;
	const keeper = {
		policyOpened() {
			keepers += 1;
		},
		policyClosed() {
			keepers -= 1;
		},
	};
	const policy = compilePolicy(
		documentOf({ enabled, inbound: [{ actions: [{ type: "deny" }] }] }),
		{
			edgeId: "e",
			routeId: "r",
			limiters: new CountingLimiters(),
			expressionErrors: "reject",
			keeper,
		},
	);
	expect(keepers).toBe(1);
	policy.close();
	policy.close();
	expect(keepers).toBe(0);
});

test("its keeper is told once, also where letting go of an action fails", () => {
	let closed = 0;
	const limiters = new CountingLimiters();
	const policy = compilePolicy(
		documentOf({
			inbound: [{ actions: [{ type: "rate-limit", config: { capacity: 1, rate: "60s" } }] }],
		}),
		{
			edgeId: "e",
			routeId: "r",
			limiters,
			expressionErrors: "reject",
			keeper: {
				policyOpened() {},
				policyClosed() {
					closed += 1;
				},
			},
		},
	);
	policy.inbound(exchangeOf());
	limiters.release = () => {
		throw new Error("not now");
	};
	expect(() => policy.close()).toThrow("not now");
	policy.close();
	expect(closed).toBe(1);
});
