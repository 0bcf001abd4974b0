/** Outbound rules see local replies, and pass or replace them (contract 4). */
import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import {
	isPending,
	replyOf,
	showOutbound,
	waitOutbound,
} from "../../../src/edge/phases/policy-replies.ts";
import {
	type LocalReply,
	POLICY_FAILED,
	UPSTREAM_FAILED,
} from "../../../src/edge/response/local-replies.ts";
import type { Services } from "../../../src/edge/services.ts";
import type { CompiledPolicy, Outcome } from "../../../src/policy/exchange.ts";
import { Metrics, series } from "../../../src/telemetry/metrics.ts";
import { ManualEvaluator, suspended } from "../manual-evaluator.ts";

function setUp(
	outbound: (() => Outcome) | undefined,
	resume: () => Outcome = () => ({ kind: "continue" }),
	evaluator?: ManualEvaluator,
) {
	const metrics = new Metrics();
	const seen: unknown[] = [];
	const policy: CompiledPolicy = {
		enabled: true,
		inboundEmpty: true,
		outboundEmpty: outbound === undefined,
		inbound: () => ({ kind: "continue" }),
		outbound: outbound ?? (() => ({ kind: "continue" })),
		resume,
		close() {},
	};
	// As much of both as is read here.
	const countOutcome = (outcome: "deny" | "failed" | "limited" | "respond") =>
		metrics.add(series("weir_policy_outcomes_total", { outcome }));
	const refusals = { byPolicy: () => {} };
	const services = { countOutcome, evaluator, refusals } as unknown as Services;
	const exchange = {
		route: { policy },
		setResponse: (...response: unknown[]) => seen.push(response),
		forgetResponseChanges: () => {},
	} as unknown as Exchange;
	return { metrics, seen, services, exchange };
}

/** What is sent in the end. */
const throughOutbound = (exchange: Exchange, reply: LocalReply, services: Services): LocalReply => {
	const shown = showOutbound(exchange, reply, services);
	if (isPending(shown)) throw new Error("suspended");
	return shown;
};

describe("through outbound rules", () => {
	const made = { statusCode: 404, headers: ["X-Made", "1"], content: "é", bytes: undefined };

	it("a reply goes as it is where no rule replaces it; rules see lower-case names and bytes", () => {
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
		expect(throughOutbound(exchange, made, services)).toEqual(replyOf(respond));
		expect(metrics.snapshot()).toEqual({ 'weir_policy_outcomes_total{outcome="respond"}': 1 });
	});

	it("a failed rule makes it a 500, and is counted", () => {
		const { exchange, services, metrics } = setUp(() => ({ kind: "failed" }));
		expect(throughOutbound(exchange, made, services)).toBe(POLICY_FAILED);
		expect(metrics.snapshot()).toEqual({ 'weir_policy_outcomes_total{outcome="failed"}': 1 });
	});
});

describe("while outbound rules wait", () => {
	it.each([
		["passes", { kind: "continue" }, UPSTREAM_FAILED],
		["is replaced", { kind: "failed" }, POLICY_FAILED],
	] as const)("a reply %s as the rules say in the end", async (_, outcome, expected) => {
		const evaluator = new ManualEvaluator();
		const { exchange, services } = setUp(
			() => suspended("outbound"),
			() => outcome,
			evaluator,
		);
		const shown = showOutbound(exchange, UPSTREAM_FAILED, services);
		if (!isPending(shown)) throw new Error("not suspended");
		const sent: LocalReply[] = [];
		waitOutbound(exchange, shown, services, (reply) => sent.push(reply));
		expect(sent).toEqual([]);
		(await evaluator.next()).settle(true);
		expect(sent).toEqual([expected]);
	});
});
