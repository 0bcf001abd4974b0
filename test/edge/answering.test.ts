/** What becomes of an answer of the edge's own on its way through the outbound rules (contract 4). */
import { describe, expect, it } from "vitest";
import {
	answerOf,
	breakOff,
	replacement,
	resumePhase,
	runPhase,
	showOutbound,
} from "../../src/edge/answering.ts";
import type { Exchange } from "../../src/edge/exchange.ts";
import {
	type Answer,
	POLICY_FAILED,
	UPSTREAM_FAILED,
} from "../../src/edge/response/own-answers.ts";
import type { Services } from "../../src/edge/services.ts";
import type { CompiledPolicy, Outcome } from "../../src/policy/exchange.ts";
import { Metrics, series } from "../../src/telemetry/metrics.ts";
import { suspended } from "./manual-evaluator.ts";

function setUp(outbound: (() => Outcome) | undefined) {
	const metrics = new Metrics();
	const errors: string[] = [];
	const log = { error: (_fields: object, message: string) => errors.push(message) };
	const seen: unknown[] = [];
	const policy: CompiledPolicy = {
		enabled: true,
		inboundEmpty: true,
		outboundEmpty: outbound === undefined,
		inbound: () => ({ kind: "continue" }),
		outbound: outbound ?? (() => ({ kind: "continue" })),
		resume: () => ({ kind: "continue" }),
		close() {},
	};
	// As much of both as is read here.
	const countOutcome = (outcome: "respond" | "failed") =>
		metrics.add(series("weir_policy_outcomes_total", { outcome }));
	const services = { countOutcome, log } as unknown as Services;
	const exchange = {
		route: { policy },
		setResponse: (...response: unknown[]) => seen.push(response),
	} as unknown as Exchange;
	return { metrics, errors, seen, policy, services, exchange };
}

/** What is sent in the end. */
const throughOutbound = (exchange: Exchange, answer: Answer, services: Services): Answer => {
	const outcome = showOutbound(exchange, answer, services);
	if (outcome.kind === "suspended") throw new Error("suspended");
	return replacement(outcome, services) ?? answer;
};

describe("through outbound rules", () => {
	const made = { statusCode: 404, headers: ["X-Made", "1"], content: "é", bytes: undefined };

	it("an answer goes as it is where no rule replaces it; rules see lower-case names and bytes", () => {
		const { exchange, services, seen } = setUp(() => ({ kind: "continue" }));
		expect(throughOutbound(exchange, made, services)).toBe(made);
		expect(seen).toEqual([[404, ["x-made", "1"], 2]]);
	});

	it("it is not shown to a phase that has no rules", () => {
		const { exchange, services, seen } = setUp(undefined);
		expect(throughOutbound(exchange, UPSTREAM_FAILED, services)).toBe(UPSTREAM_FAILED);
		expect(seen).toEqual([]);
	});

	it("a custom-response replaces it, and is counted", () => {
		const respond = {
			kind: "respond",
			statusCode: 200,
			headers: [["A", "1"]],
			content: "caught",
		} as const;
		const { exchange, services, metrics } = setUp(() => respond);
		expect(throughOutbound(exchange, made, services)).toEqual(answerOf(respond));
		expect(metrics.snapshot()).toEqual({ 'weir_policy_outcomes_total{outcome="respond"}': 1 });
	});

	it("a failed rule makes it a 500, and is counted", () => {
		const { exchange, services, metrics } = setUp(() => ({ kind: "failed" }));
		expect(throughOutbound(exchange, made, services)).toBe(POLICY_FAILED);
		expect(metrics.snapshot()).toEqual({ 'weir_policy_outcomes_total{outcome="failed"}': 1 });
	});
});

it("a policy that throws has failed, and says so in the log", () => {
	const bug = (): never => {
		throw new Error("a bug");
	};
	const { exchange, services, policy, errors } = setUp(bug);
	expect(runPhase(policy, "outbound", exchange, services)).toEqual({ kind: "failed" });
	const stopped = suspended("inbound");
	if (stopped.kind !== "suspended") throw new Error("not suspended");
	const resumed = resumePhase({ ...policy, resume: bug }, exchange, stopped.run, true, services);
	expect(resumed).toEqual({ kind: "failed" });
	expect(errors).toEqual(["policy threw", "policy threw"]);
});

it("a request that can't go on is counted and its connection closed, unless it is over", () => {
	for (const over of [false, true]) {
		const { services, errors } = setUp(undefined);
		const done: unknown[] = [];
		const exchange = {
			over,
			routeId: "r",
			response: { close: () => done.push("closed") },
		} as unknown as Exchange;
		services.end = (_, statusCode, aborted) => done.push(statusCode, aborted);
		breakOff(exchange, new Error("a bug"), services);
		expect(errors).toEqual(["request failed"]);
		expect(done).toEqual(over ? [] : [500, false, "closed"]);
	}
});
