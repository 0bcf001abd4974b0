/**
 * Runs one phase of a policy for a request. Policies return their failures as values. An exception from a policy is
 * a bug, which is logged and costs that one request. Used by `pipeline.ts`, `proxying/` and the rest of this room.
 */
import type { CompiledPolicy, Outcome, SuspendedRun } from "../../policy/exchange.ts";
import type { Settlement } from "../../threads/expression-evaluator.ts";
import type { Exchange } from "../exchange.ts";
import { CLIENT_GONE } from "../request/client-gone.ts";
import type { Services } from "../services.ts";

/** What a phase came to in the end. */
export type Decision = Exclude<Outcome, { kind: "suspended" }>;

export const FAILED: Extract<Outcome, { kind: "failed" }> = Object.freeze({ kind: "failed" });

/** Hot. */
export function runPhase(
	policy: CompiledPolicy,
	phase: "inbound" | "outbound",
	exchange: Exchange,
	services: Services,
): Outcome {
	const { marks } = exchange;
	marks?.phaseBegins();
	try {
		const outcome = phase === "inbound" ? policy.inbound(exchange) : policy.outbound(exchange);
		if (outcome.kind !== "suspended") marks?.phaseEnds();
		return outcome;
	} catch (error) {
		return threw(error, exchange, services);
	}
}

/** Continues a phase that was suspended. */
export function resumePhase(
	policy: CompiledPolicy,
	exchange: Exchange,
	run: SuspendedRun,
	settlement: Settlement,
	services: Services,
): Outcome {
	try {
		const outcome = policy.resume(exchange, run, settlement);
		if (outcome.kind !== "suspended") exchange.marks?.phaseEnds();
		return outcome;
	} catch (error) {
		return threw(error, exchange, services);
	}
}

function threw(error: unknown, exchange: Exchange, services: Services): Outcome {
	if (error === CLIENT_GONE) throw error;
	const { edgeId, routeId } = exchange;
	exchange.marks?.phaseEnds();
	services.log.error({ err: error, edge: edgeId, route: routeId }, "policy threw");
	return FAILED;
}
