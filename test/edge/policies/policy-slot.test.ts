/** Requests that come to a policy before it is there: none is lost, each runs once, under that policy. */
import { describe, expect, it } from "vitest";
import type { Attributes } from "../../../src/cel/attributes.ts";
import type { Suspension } from "../../../src/cel/expression.ts";
import { OpeningEvaluator, OpeningPolicy } from "../../../src/edge/policies/policy-slot.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type {
	CompiledPolicy,
	Outcome,
	PolicyExchange,
	SuspendedRun,
} from "../../../src/policy/exchange.ts";
import type { Settlement } from "../../../src/threads/expression-evaluator.ts";

const exchange = (): PolicyExchange => ({}) as PolicyExchange;
const DENY: Outcome = { kind: "deny", statusCode: 403 };
const CONTINUE: Outcome = { kind: "continue" };
const HEAVY: Suspension = { source: "heavy", phase: "inbound", wants: "bool", reads: [] };
const suspendedRun: SuspendedRun = {
	phase: "inbound",
	rule: 3,
	step: 1,
	suspension: HEAVY,
	settled: new Map(),
};

const policy = (inbound: () => Outcome, onClose = () => {}): CompiledPolicy => ({
	enabled: true,
	inboundEmpty: false,
	outboundEmpty: false,
	inbound,
	outbound: () => CONTINUE,
	resume: (_exchange, run) => (run === suspendedRun ? DENY : CONTINUE),
	close: onClose,
});

const runOf = (outcome: Outcome): SuspendedRun => {
	if (outcome.kind !== "suspended") throw new Error(`${outcome.kind} where it should wait`);
	return outcome.run;
};

/** Notes deadlines; never settles. */
const inner = (deadlines: number[]) =>
	new OpeningEvaluator({
		keep: () => () => {},
		ready: () => Promise.resolve(),
		evaluate(_suspension, _attributes, deadlineMs) {
			deadlines.push(deadlineMs);
			return { cancel() {} };
		},
	});

describe("a policy that is being opened", () => {
	it("lets requests wait, and decides on each when it is there", async () => {
		const opening = new OpeningPolicy();
		const evaluator = inner([]);
		const [one, other] = [exchange(), exchange()];
		const outcomes: Outcome[] = [];
		for (const each of [one, other]) {
			const run = runOf(opening.inbound(each));
			evaluator.evaluate(run.suspension, each as Attributes, 0, (settlement: Settlement) =>
				outcomes.push(opening.resume(each, run, settlement)),
			);
		}
		expect(outcomes).toEqual([]);
		opening.opened(policy(() => DENY));
		expect(outcomes).toEqual([DENY, DENY]);
		expect(opening.inbound(exchange())).toBe(DENY);
		expect(opening.outbound(exchange())).toBe(CONTINUE);
	});

	it("forgets a request that has gone", () => {
		const opening = new OpeningPolicy();
		let settled = 0;
		const run = runOf(opening.inbound(exchange()));
		const evaluation = inner([]).evaluate(run.suspension, exchange(), 0, () => {
			settled += 1;
		});
		evaluation.cancel();
		opening.opened(policy(() => DENY));
		expect(settled).toBe(0);
	});

	it("settles a request that asks when it has just come", async () => {
		const opening = new OpeningPolicy();
		const run = runOf(opening.inbound(exchange()));
		opening.opened(policy(() => DENY));
		const events: string[] = [];
		await new Promise<void>((resolve) => {
			inner([]).evaluate(run.suspension, exchange(), 0, () => {
				events.push("settled");
				resolve();
			});
			events.push("returned");
		});
		expect(events).toEqual(["returned", "settled"]);
	});

	it("resumes what the policy itself has suspended", () => {
		const opening = new OpeningPolicy();
		const run = runOf(opening.inbound(exchange()));
		opening.opened(policy(() => ({ kind: "suspended", run: suspendedRun })));
		const next = opening.resume(exchange(), run, true);
		expect(runOf(next)).toBe(suspendedRun);
		expect(opening.resume(exchange(), suspendedRun, true)).toBe(DENY);
	});

	it("is closed once, after those that waited have run", () => {
		const opening = new OpeningPolicy();
		const events: string[] = [];
		const run = runOf(opening.inbound(exchange()));
		inner([]).evaluate(run.suspension, exchange(), 0, () => events.push("settled"));
		opening.close();
		opening.close();
		opening.opened(
			policy(
				() => DENY,
				() => events.push("closed"),
			),
		);
		opening.close();
		expect(events).toEqual(["settled", "closed"]);
	});
});

describe("OpeningEvaluator", () => {
	it("gives expressions all their time after a wait for the policy, and else the deadline they came with", () => {
		const deadlines: number[] = [];
		const evaluator = inner(deadlines);
		const opening = new OpeningPolicy();
		const waited = exchange();
		const run = runOf(opening.inbound(waited));
		evaluator.evaluate(run.suspension, waited, 1, () => {});
		const beforeMs = performance.now();
		opening.opened(policy(() => DENY));
		evaluator.evaluate(HEAVY, waited, 1, () => {});
		evaluator.evaluate(HEAVY, exchange(), 1, () => {});
		expect(deadlines[0]).toBeGreaterThanOrEqual(beforeMs + LIMITS.heavyWaitMs);
		expect(deadlines[1]).toBe(1);
	});
});
