import { describe, expect, it } from "vitest";
import { NONE, PolicySlot, STORED } from "../../../src/edge/policies/policy-slot.ts";
import type { Backend } from "../../../src/edge/routing/backends.ts";
import { TableRoute } from "../../../src/edge/routing/route.ts";
import type { CompiledPolicy } from "../../../src/policy/exchange.ts";

const backend = {} as Backend;
const route = new TableRoute(
	"e",
	'r"1',
	{ match_type: "exact_path", match: "/x" },
	backend,
	STORED,
);

describe("TableRoute", () => {
	it("becomes another with another slot, and stays as it is", () => {
		const next = route.withSlot(NONE);
		expect(next).toEqual(
			new TableRoute("e", 'r"1', { match_type: "exact_path", match: "/x" }, backend, NONE),
		);
		expect(next.slot).toBe(NONE);
		expect(route.slot).toBe(STORED);
	});

	it("has the policy of its slot from when that is ready", () => {
		const opened = route.withSlot(STORED);
		const slot = new PolicySlot();
		opened.open(slot);
		expect(opened.policy).toBeUndefined();
		const policy = { close() {} } as CompiledPolicy;
		slot.ready(policy);
		expect(opened.policy).toBe(policy);
		expect(opened.withSlot(NONE).policy).toBeUndefined();
		expect(opened.policy).toBe(policy);
	});
});
