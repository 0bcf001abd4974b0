/** What is left of a document's rules when they are prepared, and where they say that they stand. */
import { expect, test, vi } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
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

test("a heavy expression that is long is kept, so that no request has to make it again; a short one is not", () => {
	const short = "req.url.path.matches('x[0-9]*y')";
	const long = `${short} || req.url.path.contains('${"a".repeat(LIMITS.patternHereCharacters)}')`;
	const keptOf = (source: string): unknown => {
		const steps = preparePhase(
			documentOf({ inbound: [{ expressions: [source], actions: [{ type: "log" }] }] }).inbound,
			"inbound",
			new Compiler(),
		);
		for (;;) {
			const step = steps.next();
			if (step.done === true) return step.value?.rules;
		}
	};
	const compile = vi.spyOn(Compiler.prototype, "predicate");
	for (const [source, times] of [
		[long, 0],
		[short, 1],
	] as const) {
		const rules = keptOf(source) as PhaseRules;
		compile.mockClear();
		expect(rules.predicatesOf(0).map((each) => each.source)).toEqual([source]);
		expect(compile).toHaveBeenCalledTimes(times);
	}
	compile.mockRestore();
});
