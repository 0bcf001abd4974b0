/**
 * From a policy's decision to the reply that a client gets. Outbound rules also see replies that the edge makes
 * itself (contract 4: custom-responses, 502 and 504) and may replace them. Used by `pipeline.ts`,
 * `deferred-request.ts` and `proxying/proxied-request.ts`.
 */

import { asciiLowerCase } from "../../ascii.ts";
import type { CompiledPolicy, Outcome, SuspendedRun } from "../../policy/exchange.ts";
import type { Exchange } from "../exchange.ts";
import { changedReply } from "../headers/response-changes.ts";
import {
	denied,
	type LocalReply,
	POLICY_FAILED,
	preflightReply,
	rateLimited,
	refusalReply,
} from "../response/local-replies.ts";
import { contentLength } from "../response/write-response.ts";
import type { Services } from "../services.ts";
import { PhaseWait } from "./phase-wait.ts";
import { type Decision, runPhase } from "./run-phase.ts";

/** A local reply whose outbound rules wait for an expensive expression; `waitOutbound` continues. */
export interface PendingReply {
	readonly reply: LocalReply;
	readonly policy: CompiledPolicy;
	readonly run: SuspendedRun;
}

export const isPending = (reply: LocalReply | PendingReply | "close"): reply is PendingReply =>
	typeof reply === "object" && "run" in reply;

type Respond = Extract<Outcome, { kind: "respond" }>;
export const replyOf = ({ statusCode, headers, content }: Respond): LocalReply => ({
	statusCode,
	headers: headers.flat(),
	content,
	bytes: undefined,
});

/**
 * The reply to a request that inbound rules have ended; `close`: there is none, the connection is closed. Outbound rules
 * have seen it if it is a custom-response.
 */
export function inboundReply(
	decision: Exclude<Decision, { kind: "continue" }>,
	exchange: Exchange,
	services: Services,
): LocalReply | PendingReply | "close" {
	services.countOutcome(decision.kind);
	exchange.answeredBy = decision.kind;
	services.refusals.byPolicy(exchange, decision);
	if (exchange.route?.candidate !== undefined) services.candidates?.begin(exchange, decision);
	switch (decision.kind) {
		case "deny":
			return changedReply(denied(decision.statusCode), exchange.responseChanges);
		case "limited":
			return changedReply(
				rateLimited(decision.retryAfterSeconds, decision.answer),
				exchange.responseChanges,
			);
		case "refused":
			return changedReply(
				refusalReply(decision.reason, decision.headers),
				exchange.responseChanges,
			);
		case "preflight":
			return unseenReply(exchange, preflightReply(decision.headers));
		case "close":
			return "close";
		case "respond":
			return showOutbound(exchange, replyOf(decision), services);
		case "failed":
			return unseenReply(exchange, POLICY_FAILED);
	}
}

/** A reply of the edge that no outbound rule has seen, with the lines that are for whatever response there is (cors). */
export function unseenReply(exchange: Exchange, reply: LocalReply): LocalReply {
	exchange.forgetResponseChanges();
	return changedReply(reply, exchange.responseChanges);
}

const lowerNames = (headers: readonly string[]): string[] =>
	headers.map((text, index) => (index % 2 === 0 ? asciiLowerCase(text) : text));

/** From here on expressions read this reply. */
const setResponse = (exchange: Exchange, reply: LocalReply): void =>
	exchange.setResponse(reply.statusCode, lowerNames(reply.headers), contentLength(reply));

/** Shows a local reply to the outbound rules. @returns what is sent, unless rules have to wait */
export function showOutbound(
	exchange: Exchange,
	reply: LocalReply,
	services: Services,
): LocalReply | PendingReply {
	const policy = exchange.route?.policy;
	exchange.shadow?.seesReply(reply.statusCode, reply.headers, contentLength(reply));
	const hasRules = policy !== undefined && !policy.outboundEmpty;
	// Who counts answers reads them too.
	if (hasRules || exchange.answerTasks !== undefined) setResponse(exchange, reply);
	if (!hasRules) return changedReply(reply, exchange.responseChanges);
	const outcome = runPhase(policy, "outbound", exchange, services);
	if (outcome.kind === "suspended") return { reply, policy, run: outcome.run };
	return replacement(outcome, exchange, services) ?? changedReply(reply, exchange.responseChanges);
}

/** Waits for the outbound rules of a pending reply. @param send called with what is sent, unless cancelled before */
export function waitOutbound(
	exchange: Exchange,
	{ reply, policy, run }: PendingReply,
	services: Services,
	send: (reply: LocalReply) => void,
): PhaseWait {
	const decided = (decision: Decision): void => {
		const instead = replacement(decision, exchange, services);
		send(instead ?? changedReply(reply, exchange.responseChanges));
	};
	return new PhaseWait(exchange, policy, services, decided).start(run);
}

/** What is sent in place of a response that outbound rules have seen; undefined if the response passes. */
export function replacement(
	decision: Decision,
	exchange: Exchange,
	services: Services,
): LocalReply | undefined {
	exchange.shadow?.decided(decision);
	if (decision.kind === "respond") {
		services.countOutcome("respond");
		exchange.answeredBy = "respond";
		services.refusals.byPolicy(exchange, decision);
		return inPlace(exchange, replyOf(decision));
	}
	if (decision.kind !== "failed") return undefined;
	services.countOutcome("failed");
	exchange.answeredBy = "failed";
	services.refusals.byPolicy(exchange, decision);
	return inPlace(exchange, POLICY_FAILED);
}

/** In place of a response whose fields who counts answers would read otherwise. */
function inPlace(exchange: Exchange, reply: LocalReply): LocalReply {
	if (exchange.answerTasks !== undefined) setResponse(exchange, reply);
	return unseenReply(exchange, reply);
}
