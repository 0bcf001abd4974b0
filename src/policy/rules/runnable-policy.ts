/** A policy in force on a route, which the edge asks for each request. Made by `compile.ts`. */
import type { Settlement } from "../../cel/expression.ts";
import type {
	CompiledPolicy,
	Outcome,
	PolicyExchange,
	StandingRefusal,
	SuspendedRun,
} from "../exchange.ts";
import { CONTINUE } from "../outcomes.ts";
import { evaluatePhase, resumePhase } from "./evaluate.ts";
import type { OpenPhase } from "./open-phase.ts";
import { actionAt, actionsIn, expressionsIn } from "./rule-row.ts";

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

	/** The first action of a first rule that applies to all requests and is enforced. */
	get standing(): StandingRefusal | undefined {
		const phase = this.#inbound;
		if (phase === undefined) return undefined;
		const { row, rules } = phase;
		if (expressionsIn(row, 0) > 0 || rules.reportsOnly(0)) return undefined;
		const refusal = actionAt(row, actionsIn(row, 0))?.standing?.();
		if (refusal === undefined) return undefined;
		// Outbound rules see it.
		if (refusal.kind === "respond" && !this.outboundEmpty) return undefined;
		return { refusal, place: rules.actionPlace(0, 0) };
	}

	countStanding(times: number): void {
		this.#inbound?.matched(0, times);
		if (this.standing?.refusal.kind !== "respond") this.#inbound?.refused(0, times);
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
