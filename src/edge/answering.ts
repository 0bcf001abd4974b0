/**
 * Runs a policy's phases and sends answers of the edge's own making: what a policy said, a missing route,
 * a failed upstream. Shared by `pipeline.ts` and `proxying.ts`.
 */
import type { CompiledPolicy, Outcome } from "../policy/exchange.ts";
import type { Exchange } from "./exchange.ts";
import { type Answer, POLICY_FAILED } from "./own-answers.ts";
import { writeAnswer } from "./reply.ts";
import { OUTCOMES, type Services } from "./services.ts";

const FAILED: Outcome = Object.freeze({ kind: "failed" });

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
		const { edgeId, routeId } = exchange;
		services.log.error({ err: error, edge: edgeId, route: routeId }, "policy threw");
		return FAILED;
	}
}

type Respond = Extract<Outcome, { kind: "respond" }>;
export const answerOf = ({ statusCode, headers, content }: Respond): Answer => ({
	statusCode,
	headers: headers.flat(),
	content,
});

const lowerNames = (headers: readonly string[]): string[] =>
	headers.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text));

/** What outbound rules make of an answer of the edge (contract 4: custom-responses, 502 and 504). */
export function throughOutbound(exchange: Exchange, answer: Answer, services: Services): Answer {
	const policy = exchange.route?.policy;
	if (policy === undefined || policy.outboundEmpty) return answer;
	const length = Buffer.byteLength(answer.content);
	exchange.setResponse(answer.statusCode, lowerNames(answer.headers), length);
	const outcome = runPhase(policy, "outbound", exchange, services);
	if (outcome.kind === "respond") {
		services.metrics.add(OUTCOMES.respond);
		return answerOf(outcome);
	}
	if (outcome.kind !== "failed") return answer;
	services.metrics.add(OUTCOMES.failed);
	return POLICY_FAILED;
}

/** Writes the answer and ends the request. Inside the request's handler or a cork. */
export function send(exchange: Exchange, answer: Answer, services: Services): void {
	const { response, arrival } = exchange;
	// The address can't be asked for once the response has ended.
	if (services.accessLog || exchange.logs.length > 0) void exchange.clientIp;
	const { statusCode, headers, content } = answer;
	if (arrival.method !== "HEAD") exchange.bytesOut += Buffer.byteLength(content);
	writeAnswer(response, arrival.method, statusCode, headers, content, services.draining);
	services.end(exchange, statusCode, false);
}
