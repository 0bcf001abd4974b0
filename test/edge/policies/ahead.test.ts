import { expect, it } from "vitest";
import { Ahead } from "../../../src/edge/policies/ahead.ts";
import type { ExpressionThreads } from "../../../src/edge/policies/expression-threads.ts";
import type { SharedPolicy } from "../../../src/edge/policies/shared-policies.ts";

const fakes = () => {
	const threads = { keepers: 0 };
	const counted = {
		keep: () => {
			threads.keepers += 1;
		},
		release: () => {
			threads.keepers -= 1;
		},
		ready: async () => {},
	} as unknown as ExpressionThreads;
	const policy = (mayWait: boolean) => {
		const shared = {
			holders: 0,
			prepared: { mayWait },
			hold: () => {
				shared.holders += 1;
			},
			release: () => {
				shared.holders -= 1;
			},
		};
		return shared;
	};
	return { threads, ahead: new Ahead(counted), policy };
};

it("holds each policy once, and lets go of all", () => {
	const { ahead, policy } = fakes();
	const [one, other] = [policy(false), policy(false)];
	for (const each of [one, other, one]) ahead.hold(each as unknown as SharedPolicy);
	expect([one.holders, other.holders]).toEqual([1, 1]);
	ahead.release();
	ahead.release();
	expect([one.holders, other.holders]).toEqual([0, 0]);
});

it("keeps the threads only where a policy may need them", async () => {
	const { ahead, policy, threads } = fakes();
	ahead.hold(policy(false) as unknown as SharedPolicy);
	await ahead.ready();
	expect(threads.keepers).toBe(0);
	ahead.hold(policy(true) as unknown as SharedPolicy);
	await ahead.ready();
	await ahead.ready();
	expect(threads.keepers).toBe(1);
	ahead.release();
	expect(threads.keepers).toBe(0);
});
