/** A policy in force says when it is no longer needed; `compile.test.ts` and its neighbours run its rules. */
import { expect, test } from "vitest";
import { compilePolicy } from "../../../src/policy/rules/compile.ts";
import { CountingLimiters, documentOf } from "../support.ts";

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
