/** A policy in force on a route, which the edge asks for each request. Made by `compile.ts`. */
import type { Settlement } from "../../cel/expression.ts";
import type { RunnableAction } from "../actions/action.ts";
import type {
	CompiledPolicy,
	Outcome,
	PolicyExchange,
	StandingRefusal,
	SuspendedRun,
} from "../exchange.ts";
import { evaluatePhase, type RunnablePhase, resumePhase } from "./evaluate.ts";

export class RunnablePolicy implements CompiledPolicy {
	readonly enabled: boolean;
	readonly inboundEmpty: boolean;
	readonly outboundEmpty: boolean;
	readonly #inbound: RunnablePhase;
	readonly #outbound: RunnablePhase;
	readonly #release: (() => void) | undefined;
	#closed = false;

	constructor(
		enabled: boolean,
		inbound: RunnablePhase,
		outbound: RunnablePhase,
		release: (() => void) | undefined,
	) {
		this.#release = release;
		this.enabled = enabled;
		this.inboundEmpty = inbound.rules.length === 0;
		this.outboundEmpty = outbound.rules.length === 0;
		this.#inbound = inbound;
		this.#outbound = outbound;
	}

	/** The first action of a first rule that applies to all requests and is enforced. */
	get standing(): StandingRefusal | undefined {
		const rule = this.#inbound.rules[0];
		const place = rule?.steps[0]?.place;
		if (rule === undefined || rule.predicates.length > 0 || rule.reportsOnly) return undefined;
		const refusal = this.#inbound.actions[0]?.[0]?.standing?.();
		if (refusal === undefined || place === undefined) return undefined;
		// Outbound rules see it.
		if (refusal.kind === "respond" && !this.outboundEmpty) return undefined;
		return { refusal, place };
	}

	countStanding(times: number): void {
		const { counts } = this.#inbound;
		counts?.matched(0, times);
		if (this.standing?.refusal.kind !== "respond") counts?.refused(0, times);
	}

	inbound(exchange: PolicyExchange): Outcome {
		return evaluatePhase(this.#inbound, exchange);
	}

	outbound(exchange: PolicyExchange): Outcome {
		return evaluatePhase(this.#outbound, exchange);
	}

	resume(exchange: PolicyExchange, run: SuspendedRun, result: Settlement): Outcome {
		const phase = run.phase === "inbound" ? this.#inbound : this.#outbound;
		return resumePhase(phase, exchange, run, result);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#release?.();
		this.#inbound.counts?.close();
		this.#outbound.counts?.close();
		for (const actions of this.#inbound.actions) closeActions(actions);
		for (const actions of this.#outbound.actions) closeActions(actions);
	}
}

function closeActions(actions: readonly RunnableAction[]): void {
	for (const action of actions) action.close?.();
}
