/** A refusal, an explanation, or both of one request, as `GET /decisions/{id}` tells them. Used by `live-api.ts`. */
import type { ExplainedRequest } from "../../explain/live/live-explanations.ts";
import type { Decision, Refusal } from "./shapes.ts";

/** @returns undefined: nothing is known */
export function decisionOf(
	refusal: Refusal | undefined,
	explained: ExplainedRequest | undefined,
): Decision | undefined {
	if (explained === undefined) return refusal && { ...refusal, explained: null };
	const { explanation = null, agrees = null, problem = null } = explained;
	return { ...(refusal ?? seenOf(explained)), explained: { explanation, agrees, problem } };
}

/** As far as a worker took it down. */
function seenOf({ seen, worker }: ExplainedRequest): Omit<Decision, "explained"> {
	const { end } = seen;
	return {
		id: "",
		ts: seen.nowMs,
		request_id: seen.requestId,
		client_ip: seen.clientIp,
		edge_id: end.edgeId || null,
		route_id: end.routeId || null,
		method: seen.method,
		host: seen.host,
		path: seen.rawPath,
		status: end.status,
		reason: end.reason ?? null,
		rule:
			end.rule === undefined
				? null
				: { phase: end.rule.phase, index: end.rule.ruleIndex, name: end.rule.ruleName },
		limit: end.limit ?? null,
		worker,
	};
}
