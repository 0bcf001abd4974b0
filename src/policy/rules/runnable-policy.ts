/** A policy in force on a route, which the edge asks for each request. Made by `compile.ts`. */
import type { Settlement } from "../../cel/expression.ts";
import type { RunnableAction } from "../actions/action.ts";
import type {
	CompiledPolicy,
	Outcome,
	PolicyExchange,
	StandingRule,
	SuspendedRun,
} from "../exchange.ts";
import { evaluatePhase, type RunnablePhase, resumePhase } from "./evaluate.ts";
import { standingRules } from "./standing-rules.ts";

export class RunnablePolicy implements CompiledPolicy {
	readonly enabled: boolean;
	readonly inboundEmpty: boolean;
	readonly outboundEmpty: boolean;
	readonly #inbound: RunnablePhase;
	readonly #outbound: RunnablePhase;
	readonly #release: (() => void) | undefined;
	#closed = false;
	neverStands = false;

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

	/** Made anew each time; where nothing can ever be told, only once. */
	standing(): readonly StandingRule[] | undefined {
		if (this.neverStands) return undefined;
		const rules = standingRules(this.#inbound, this.outboundEmpty);
		this.neverStands = rules === undefined;
		return rules;
	}

	countStanding(rule: number, times: number, refused: boolean): void {
		const { counts } = this.#inbound;
		counts?.matched(rule, times);
		if (refused) counts?.refused(rule, times);
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
