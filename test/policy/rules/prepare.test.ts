/** What is left of a document's rules when they are prepared, and where they say that they stand. */
import { expect, test, vi } from "vitest";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import type { PhaseRules } from "../../../src/policy/rules/phase-rules.ts";
import { preparePhase } from "../../../src/policy/rules/prepare.ts";
import { compiled, documentOf, exchangeOf } from "../support.ts";

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

test("heavy expressions are kept, so that no request has to make one again; others are not", () => {
	const compile = vi.spyOn(Compiler.prototype, "predicate");
	for (const [source, times] of [
		["req.url.path.matches('x[0-9]*y')", 0],
		["req.method == 'GET'", 1],
	] as const) {
		const rules = toldOf(source);
		compile.mockClear();
		expect(rules.predicatesOf(0).map((each) => each.source)).toEqual([source]);
		expect(compile).toHaveBeenCalledTimes(times);
	}
	compile.mockRestore();
});

function toldOf(source: string): PhaseRules {
	const { inbound } = documentOf({
		inbound: [{ expressions: [source], actions: [{ type: "log" }] }],
	});
	const steps = preparePhase(inbound, "inbound", new Compiler(), { isDue: () => false });
	for (;;) {
		const step = steps.next();
		if (step.done === true && step.value !== undefined) return step.value.rules;
	}
}

test("pauses after each expression and each action for which a pause is due, and nowhere else", () => {
	const { inbound } = documentOf({
		inbound: [
			{ expressions: ["req.method == 'GET'", "1 > 2"], actions: [{ type: "log" }] },
			{ actions: [{ type: "log" }, { type: "log" }] },
		],
	});
	let asked = 0;
	const isDue = (): boolean => [1, 4].includes(asked++);
	const steps = preparePhase(inbound, "inbound", new Compiler(), { isDue });
	const pauses: number[] = [];
	for (let step = steps.next(); step.done !== true; step = steps.next()) pauses.push(asked);
	expect([pauses, asked]).toEqual([[2, 5], 5]);
});
