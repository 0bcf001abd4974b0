/**
 * Guards are made once for a policy and each rule that is a reason to, shared by policies that refuse alike, given back
 * with their addresses when nothing stands by them, and never more than there is room for.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { StandingGuards } from "../../../src/edge/standing/standing-guards.ts";
import { addressRangeOf } from "../../../src/http/address-range.ts";
import { AddressSet } from "../../../src/http/address-set.ts";
import { Front } from "../../../src/http/front.ts";
import { clearStanding } from "../../../src/http/standing.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { CompiledPolicy, Standing, StandingRule } from "../../../src/policy/exchange.ts";

const front = Front.open();

const place = (ruleIndex: number) =>
	({
		phase: "inbound",
		ruleIndex,
		ruleName: "",
		expressionIndex: -1,
		actionIndex: 0,
	}) as const;

const policyOf = (...all: (Standing | undefined)[]): CompiledPolicy => {
	const rules: StandingRule[] = all.map((does, index) => ({
		index,
		tests: [],
		steps: [does && { does, place: place(index) }],
	}));
	return { standing: () => rules } as unknown as CompiledPolicy;
};

const deny = (statusCode: number): Standing => ({ kind: "deny", statusCode });
const respond = (content: string): Standing => ({
	kind: "respond",
	statusCode: 403,
	headers: [],
	content,
});
const setOf = (count: number) => {
	const ranges = Array.from({ length: count }, (_, n) =>
		addressRangeOf(`10.${n >> 8}.${n & 255}.1`),
	).flatMap((range) => (range.ok ? [range.value] : []));
	return AddressSet.of(ranges);
};
const restriction = (set: AddressSet): Standing => ({
	...{ kind: "refused", reason: "address", headers: [] },
	...{ allow: [], deny: [set], allowsAll: true },
});

describe.skipIf(front === undefined)("guards of policies", () => {
	let guards: StandingGuards;
	beforeEach(() => {
		clearStanding();
		guards = new StandingGuards();
	});

	it("are shared by policies that refuse alike, each with its own places", () => {
		const [one, other] = [policyOf(deny(403)), policyOf(deny(403))];
		const [first, second] = [guards.make(one, 0, "deny"), guards.make(other, 0, "deny")];
		expect(first?.shared).toBe(second?.shared);
		expect(guards.make(policyOf(deny(404)), 0, "deny")?.shared).not.toBe(first?.shared);
		expect(guards.of(one, 0, "deny")).toBe(first);
		expect(guards.of(one, 0, "limited")).toBeUndefined();
		expect(guards.of(one, 1, "deny")).toBeUndefined();
	});

	it("are tried once for each rule, and anew when they were given back", () => {
		const policy = policyOf(undefined);
		expect(guards.make(policy, 0, "deny")).toBeUndefined();
		expect([0, 1, 40].map((rule) => guards.wasTried(policy, rule))).toEqual([true, false, true]);
		const good = policyOf(deny(403));
		const guard = guards.make(good, 0, "deny");
		expect(guards.wasTried(good, 0)).toBe(true);
		if (guard !== undefined) guards.release(guard);
		expect(guards.wasTried(good, 0)).toBe(false);
		expect(guards.bytes).toBe(0);
	});

	it("give back what nobody uses, sets of addresses with the last of their guards", () => {
		const set = setOf(1000);
		const made = [
			guards.make(policyOf(restriction(set)), 0, "refused"),
			guards.make(policyOf(restriction(set)), 0, "refused"),
		];
		const both = guards.bytes;
		expect(both).toBeGreaterThan(17_000);
		expect(both).toBeLessThan(50_000);
		for (const guard of made) if (guard !== undefined) guards.release(guard);
		expect(guards.bytes).toBe(0);
	});

	it("are no more than there is room for", () => {
		let made = 0;
		const content = "x".repeat(LIMITS.standingContentBytes - 8);
		for (let n = 0; n < 10_000; n++) {
			const policy = policyOf(respond(`${content}${n}`));
			if (guards.make(policy, 0, "respond") !== undefined) made++;
		}
		expect(guards.bytes).toBeLessThanOrEqual(LIMITS.standingGuardBytes);
		expect(made).toBeGreaterThan(1000);
		expect(made).toBeLessThan(10_000);
		guards.clear();
		clearStanding();
		expect(guards.bytes).toBe(0);
		expect(guards.make(policyOf(deny(403)), 0, "deny")).toBeDefined();
	});
});
