/** A policy in force on a route, which the edge asks for each request. Made by `compile.ts`. */
import type { Settlement } from "../../cel/expression.ts";
import type {
	CompiledPolicy,
	Outcome,
	PolicyExchange,
	StandingRule,
	SuspendedRun,
} from "../exchange.ts";
import { CONTINUE } from "../outcomes.ts";
import { evaluatePhase, resumePhase } from "./evaluate.ts";
import type { OpenPhase } from "./open-phase.ts";
import { standingRules } from "./standing-rules.ts";

/** Wants to know while a policy is in force. */
export interface PolicyKeeper {
	policyOpened(): void;
	policyClosed(): void;
}

export class RunnablePolicy implements CompiledPolicy {
	readonly enabled: boolean;
	readonly #inbound: OpenPhase | undefined;
	readonly #outbound: OpenPhase | undefined;
	readonly #keeper: PolicyKeeper | undefined;
	#closed = false;
	neverStands = false;

	/** @param inbound undefined: without rules */
	constructor(
		enabled: boolean,
		inbound: OpenPhase | undefined,
		outbound: OpenPhase | undefined,
		keeper: PolicyKeeper | undefined,
	) {
		keeper?.policyOpened();
		this.enabled = enabled;
		this.#inbound = inbound;
		this.#outbound = outbound;
		this.#keeper = keeper;
	}

	get inboundEmpty(): boolean {
		return this.#inbound === undefined;
	}

	get outboundEmpty(): boolean {
		return this.#outbound === undefined;
	}

	/** Made anew each time; where nothing can ever be told, only once. */
	standing(): readonly StandingRule[] | undefined {
		if (this.neverStands || this.#inbound === undefined) return undefined;
		const rules = standingRules(this.#inbound, this.outboundEmpty);
		this.neverStands = rules === undefined;
		return rules;
	}

	countStanding(rule: number, times: number, refused: boolean): void {
		this.#inbound?.matched(rule, times);
		if (refused) this.#inbound?.refused(rule, times);
	}

	inbound(exchange: PolicyExchange): Outcome {
		return this.#inbound === undefined ? CONTINUE : evaluatePhase(this.#inbound, exchange);
	}

	outbound(exchange: PolicyExchange): Outcome {
		return this.#outbound === undefined ? CONTINUE : evaluatePhase(this.#outbound, exchange);
	}

	resume(exchange: PolicyExchange, run: SuspendedRun, result: Settlement): Outcome {
		const phase = run.phase === "inbound" ? this.#inbound : this.#outbound;
		return phase === undefined ? CONTINUE : resumePhase(phase, exchange, run, result);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#keeper?.policyClosed();
		this.#inbound?.close();
		this.#outbound?.close();
	}
}
