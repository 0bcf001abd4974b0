import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExpressionThreads } from "../../../src/edge/policies/expression-threads.ts";
import {
	type OwnerlessContext,
	SharedPolicies,
} from "../../../src/edge/policies/shared-policies.ts";
import type { CompiledPolicy } from "../../../src/policy/exchange.ts";
import type { PreparedPolicy } from "../../../src/policy/rules/compile.ts";
import { deciding } from "../../policy/support.ts";

const owner = { edgeId: "e", routeId: "r" };
const context: OwnerlessContext = {
	limiters: { open: () => deciding(() => 0), release() {} },
	expressionErrors: "reject",
};

/** Of it nothing runs; it is kept from `open` to `close`. */
const prepared = (mayWait: boolean): PreparedPolicy => ({
	mayWait,
	open: ({ keeper }) => {
		keeper?.policyOpened();
		return { close: () => keeper?.policyClosed() } as unknown as CompiledPolicy;
	},
});

describe("SharedPolicies", () => {
	it("knows a document from its first route to its last, and keeps threads for those that need them", () => {
		fc.assert(
			fc.property(
				fc.array(fc.record({ document: fc.nat(3), opens: fc.boolean() }), { maxLength: 40 }),
				(steps) => {
					let keepers = 0;
					const keep = () => {
						keepers += 1;
						return () => {
							keepers -= 1;
						};
					};
					const policies = new SharedPolicies(
						new ExpressionThreads({ keep, ready: () => Promise.resolve() }),
					);
					const open: CompiledPolicy[][] = [[], [], [], []];
					for (const { document, opens } of steps) {
						const own = open[document] ?? [];
						if (opens) {
							const known = policies.find(`${document}`);
							const shared = known ?? policies.add(`${document}`, prepared(document % 2 === 1));
							own.push(shared.open(context, owner));
						} else own.pop()?.close();
						expect(policies.find(`${document}`) === undefined).toBe(own.length === 0);
						const needThreads = (open[1]?.length ?? 0) + (open[3]?.length ?? 0);
						expect(keepers).toBe(needThreads > 0 ? 1 : 0);
					}
				},
			),
		);
	});

	it("gives back what somebody else has added meanwhile", () => {
		const policies = new SharedPolicies(
			new ExpressionThreads({ keep: () => () => {}, ready: () => Promise.resolve() }),
		);
		const first = policies.add("a", prepared(false));
		expect(policies.add("a", prepared(false))).toBe(first);
	});
});
