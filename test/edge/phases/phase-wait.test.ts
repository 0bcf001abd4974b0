/** What is settled goes back to the policy until it decides, or until nobody wants it any more. */
import { expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { PhaseWait } from "../../../src/edge/phases/phase-wait.ts";
import type { Decision } from "../../../src/edge/phases/run-phase.ts";
import type { Services } from "../../../src/edge/services.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { CompiledPolicy, Outcome } from "../../../src/policy/exchange.ts";
import type { Evaluator } from "../../../src/threads/expression-evaluator.ts";
import { ManualEvaluator, NO_EVALUATOR, suspended } from "../manual-evaluator.ts";

/** @param outcomes of `resume`, one after the other */
function setUp(outcomes: Outcome[], evaluator: Evaluator = new ManualEvaluator()) {
	const errors: string[] = [];
	const decided: Decision[] = [];
	const closed: string[] = [];
	const resumed: unknown[] = [];
	const services = {
		evaluator,
		log: { error: (_: object, message: string) => errors.push(message) },
		end: () => {},
	} as unknown as Services;
	const exchange = { routeId: "r", response: { close: () => closed.push("closed") } };
	const policy = {
		resume: (...args: unknown[]) => {
			resumed.push(args[2]);
			return outcomes.shift() ?? { kind: "continue" };
		},
	} as unknown as CompiledPolicy;
	const make = (then: (decision: Decision) => void = (decision) => decided.push(decision)) =>
		new PhaseWait(exchange as unknown as Exchange, policy, services, then);
	return { make, decided, errors, closed, resumed };
}

const stopped = (name: string) => {
	const outcome = suspended("inbound", name);
	if (outcome.kind !== "suspended") throw new Error("not suspended");
	return outcome.run;
};

it("asks until the phase has decided, all within one deadline from the first asking", async () => {
	const evaluator = new ManualEvaluator();
	const { make, decided, resumed } = setUp(
		[suspended("inbound", "b"), { kind: "failed" }],
		evaluator,
	);
	const earliest = performance.now() + LIMITS.heavyWaitMs;
	make().start(stopped("a"));
	const first = await evaluator.next();
	first.settle(true);
	const second = await evaluator.next();
	second.settle("text");
	expect([first.suspension.source, second.suspension.source]).toEqual(["a", "b"]);
	expect(first.deadlineMs).toBeGreaterThanOrEqual(earliest);
	expect(second.deadlineMs).toBe(first.deadlineMs);
	expect(resumed).toEqual([true, "text"]);
	expect(decided).toEqual([{ kind: "failed" }]);
});

it("calls nothing once it is cancelled", async () => {
	const evaluator = new ManualEvaluator();
	const { make, decided, resumed } = setUp([], evaluator);
	const wait = make().start(stopped("a"));
	const asked = await evaluator.next();
	wait.cancel();
	asked.cancelled = false;
	asked.settle(true);
	expect([resumed, decided]).toEqual([[], []]);
});

it("has failed where the evaluator throws, but not before `start` has returned", async () => {
	const broken: Evaluator = {
		...NO_EVALUATOR,
		evaluate() {
			throw new Error("a bug");
		},
	};
	const { make, decided, errors } = setUp([], broken);
	make().start(stopped("a"));
	expect(decided).toEqual([]);
	await Promise.resolve();
	expect(decided).toEqual([{ kind: "failed" }]);
	expect(errors).toEqual(["evaluator threw"]);
	make().start(stopped("a")).cancel();
	await Promise.resolve();
	expect(decided).toHaveLength(1);
});

it("costs its own request alone where what comes next throws", async () => {
	const evaluator = new ManualEvaluator();
	const { make, errors, closed } = setUp([], evaluator);
	make(() => {
		throw new Error("a bug");
	}).start(stopped("a"));
	(await evaluator.next()).settle(true);
	expect(errors).toEqual(["request failed"]);
	expect(closed).toEqual(["closed"]);
});
