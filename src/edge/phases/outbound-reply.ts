/**
 * Runs a policy's phases and sends answers of the edge's own making: what a policy said, a missing route,
 * a failed upstream. Shared by `pipeline.ts`, `proxying.ts` and `deferred-request.ts`.
 */

import { asciiLowerCase } from "../../ascii.ts";
import type { CompiledPolicy, Outcome, SuspendedRun } from "../../policy/exchange.ts";
import type { Settlement } from "../../threads/expression-evaluator.ts";
import type { Exchange } from "../exchange.ts";
import { CLIENT_GONE } from "../request/client-gone.ts";
import { type LocalReply, denied, POLICY_FAILED, rateLimited } from "../response/local-replies.ts";
import { contentLength, writeReply } from "../response/write-response.ts";
import type { Services } from "../services.ts";

/** What a phase came to in the end. */
export type Decision = Exclude<Outcome, { kind: "suspended" }>;

export const FAILED: Decision = Object.freeze({ kind: "failed" });
const CONTINUE: Decision = Object.freeze({ kind: "continue" });

/** Policies return their failures; what one throws is a bug, and costs its own request only. */
export function runPhase(
	policy: CompiledPolicy,
	phase: "inbound" | "outbound",
	exchange: Exchange,
	services: Services,
): Outcome {
	try {
		return phase === "inbound" ? policy.inbound(exchange) : policy.outbound(exchange);
	} catch (error) {
		return threw(error, exchange, services);
	}
}

/** As `runPhase`, for one that was suspended. */
export function resumePhase(
	policy: CompiledPolicy,
	exchange: Exchange,
	run: SuspendedRun,
	settlement: Settlement,
	services: Services,
): Outcome {
	try {
		return policy.resume(exchange, run, settlement);
	} catch (error) {
		return threw(error, exchange, services);
	}
}

function threw(error: unknown, { edgeId, routeId }: Exchange, services: Services): Outcome {
	if (error === CLIENT_GONE) throw error;
	services.log.error({ err: error, edge: edgeId, route: routeId }, "policy threw");
	return FAILED;
}

type Respond = Extract<Outcome, { kind: "respond" }>;
export const replyOf = ({ statusCode, headers, content }: Respond): LocalReply => ({
	statusCode,
	headers: headers.flat(),
	content,
	bytes: undefined,
});

/** The answer that ends a request inbound; a custom-response has its way through outbound rules before it. */
export function inboundReply(outcome: Exclude<Decision, { kind: "continue" }>): LocalReply {
	switch (outcome.kind) {
		case "deny":
			return denied(outcome.statusCode);
		case "limited":
			return rateLimited(outcome.retryAfterSeconds);
		case "respond":
			return replyOf(outcome);
		case "failed":
			return POLICY_FAILED;
	}
}

const lowerNames = (headers: readonly string[]): string[] =>
	headers.map((text, index) => (index % 2 === 0 ? asciiLowerCase(text) : text));

/** Shows an answer of the edge to outbound rules (contract 4: custom-responses, 502 and 504). */
export function showOutbound(exchange: Exchange, answer: LocalReply, services: Services): Outcome {
	const policy = exchange.route?.policy;
	if (policy === undefined || policy.outboundEmpty) return CONTINUE;
	exchange.setResponse(answer.statusCode, lowerNames(answer.headers), contentLength(answer));
	return runPhase(policy, "outbound", exchange, services);
}

/** What is sent in place of a response that outbound rules have seen; undefined if it passes. */
export function replacement(outcome: Decision, services: Services): LocalReply | undefined {
	if (outcome.kind === "respond") {
		services.countOutcome("respond");
		return replyOf(outcome);
	}
	if (outcome.kind !== "failed") return undefined;
	services.countOutcome("failed");
	return POLICY_FAILED;
}

/** Writes the answer and ends the request. Inside the request's handler or a cork. */
export function send(
	exchange: Exchange,
	answer: LocalReply,
	services: Services,
	close = services.draining,
): void {
	const { response, head } = exchange;
	// The address can't be asked for once the response has ended.
	if (services.accessLog || exchange.logs.length > 0) void exchange.loggedIp;
	if (head.method !== "HEAD") exchange.bytesOut += contentLength(answer);
	writeReply(response, head.method, answer, close || services.draining);
	services.end(exchange, answer.statusCode, false);
}

/** A bug: logged, and paid for by its own request. Inside the handler or wherever the request goes on. */
export function breakOff(exchange: Exchange, error: unknown, services: Services): void {
	const isGone = error === CLIENT_GONE;
	if (!isGone) services.log.error({ err: error, route: exchange.routeId }, "request failed");
	if (exchange.over) return;
	services.end(exchange, 500, isGone);
	exchange.response.close();
}
