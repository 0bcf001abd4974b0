/**
 * What becomes of a request that the inbound rules have let pass: of the response that was given with the question, or of
 * what a real request met. Called by `explain.ts`.
 */
import { isPending, showOutbound } from "../edge/phases/policy-replies.ts";
import { UPSTREAM_BUSY, UPSTREAM_REPLIES } from "../edge/response/local-replies.ts";
import type { SeenRequest } from "../edge/seen/seen-request.ts";
import type { Services } from "../edge/services.ts";
import type { CompiledPolicy } from "../policy/exchange.ts";
import type { Tracer } from "../policy/trace/tracer.ts";
import type { ExplainedExchange } from "./explained-exchange.ts";
import { type GivenResponse, givenResponse, showResponse } from "./explained-response.ts";
import type { ExplainQuestion, Explanation, PhaseExplanation } from "./shapes.ts";
import { notRun, outboundTold, phaseTold, replied, unseen } from "./told.ts";

export interface BackendAnswer {
	readonly outbound: PhaseExplanation;
	readonly answer: Explanation["answer"] | undefined;
}

interface Surroundings {
	readonly exchange: ExplainedExchange;
	readonly policy: CompiledPolicy | undefined;
	readonly services: Services;
	readonly tracer: Tracer;
}

/** @param seen undefined: nobody has sent the request */
export function backendAnswer(
	{ response }: Pick<ExplainQuestion, "response">,
	seen: SeenRequest | undefined,
	surroundings: Surroundings,
): BackendAnswer {
	if (seen !== undefined) return seenAnswer(seen, surroundings);
	if (response !== undefined) return shown(givenResponse(response), surroundings);
	const outbound = notRun("No response was given; outbound rules run on one.");
	return { outbound, answer: undefined };
}

function shown(response: GivenResponse, surroundings: Surroundings): BackendAnswer {
	const { exchange, policy, services, tracer } = surroundings;
	const { decision, reply, status, headers } = showResponse(exchange, response, policy, services);
	const outbound = phaseTold(decision, tracer.rules("outbound"));
	if (reply !== undefined)
		return { outbound, answer: replied(exchange.answeredBy ?? "respond", reply) };
	return { outbound, answer: { by: "backend", status, headers: [...headers], content: null } };
}

function seenAnswer(seen: SeenRequest, surroundings: Surroundings): BackendAnswer {
	const { response, end } = seen;
	if (response !== undefined) {
		const { status, lines, length } = response;
		return shown({ status, lines: inPairs(lines), length }, surroundings);
	}
	if (end.aborted)
		return { outbound: notRun("The client left before the backend answered."), answer: undefined };
	const reply = end.failure === undefined ? undefined : UPSTREAM_REPLIES[end.failure];
	if (reply !== undefined && reply !== UPSTREAM_BUSY) return failed(reply, surroundings);
	const outbound = notRun("weir answered it itself, and outbound rules see no such answers.");
	const { status } = end;
	return { outbound, answer: { by: "edge", status, headers: [], content: null } };
}

/** The backend gave no answer, so weir made one, which outbound rules see. */
function failed(
	reply: (typeof UPSTREAM_REPLIES)[keyof typeof UPSTREAM_REPLIES],
	{ exchange, policy, services, tracer }: Surroundings,
): BackendAnswer {
	const sent = showOutbound(exchange, reply, services);
	if (isPending(sent)) throw new Error("outbound rules wait");
	const isSeen = policy !== undefined && !policy.outboundEmpty;
	const rules = tracer.rules("outbound");
	const outbound = isSeen ? outboundTold(exchange.answeredBy, rules) : unseen(policy);
	const by = exchange.answeredBy === "none" ? "edge" : exchange.answeredBy;
	return { outbound, answer: replied(by, sent) };
}

const inPairs = (flat: readonly string[]): [string, string][] =>
	flat.flatMap((name, at): [string, string][] =>
		at % 2 === 0 ? [[name, flat[at + 1] ?? ""]] : [],
	);
