/**
 * A policy in force on a route, which the edge asks for each request. It is its inbound phase, with what else there is to
 * it, since most policies have no more, and one object less lies between a request and its rules. Made by `compile.ts`.
 */
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
import { type Opening, OpenPhase } from "./open-phase.ts";
import type { PreparedPhase } from "./prepared-phase.ts";
import { standingRules } from "./standing-rules.ts";

/** Wants to know while a policy is in force. */
export interface PolicyKeeper {
	policyOpened(): void;
	policyClosed(): void;
}

export class RunnablePolicy extends OpenPhase implements CompiledPolicy {
	readonly enabled: boolean;
	readonly #outbound: OpenPhase | undefined;
	readonly #keeper: PolicyKeeper | undefined;
	neverStands = false;

	/** @param inbound may be without rules @param outbound undefined: without rules */
	constructor(
		enabled: boolean,
		inbound: PreparedPhase,
		outbound: PreparedPhase | undefined,
		opening: Opening,
		keeper: PolicyKeeper | undefined,
	) {
		super(inbound, opening);
		this.#outbound = outbound && new OpenPhase(outbound, opening);
		this.enabled = enabled;
		this.#keeper = keeper;
		keeper?.policyOpened();
	}

	get inboundEmpty(): boolean {
		return this.row.length === 0;
	}

	get outboundEmpty(): boolean {
		return this.#outbound === undefined;
	}

	/** Made anew each time; where nothing can ever be told, only once. */
	standing(): readonly StandingRule[] | undefined {
		if (this.neverStands || this.inboundEmpty) return undefined;
		const rules = standingRules(this, this.outboundEmpty);
		this.neverStands = rules === undefined;
		return rules;
	}

	countStanding(rule: number, times: number, refused: boolean): void {
		this.matched(rule, times);
		if (refused) this.refused(rule, times);
	}

	inbound(exchange: PolicyExchange): Outcome {
		return evaluatePhase(this, exchange);
	}

	outbound(exchange: PolicyExchange): Outcome {
		return this.#outbound === undefined ? CONTINUE : evaluatePhase(this.#outbound, exchange);
	}

	resume(exchange: PolicyExchange, run: SuspendedRun, result: Settlement): Outcome {
		const phase = run.phase === "inbound" ? this : this.#outbound;
		return phase === undefined ? CONTINUE : resumePhase(phase, exchange, run, result);
	}

	override close(): void {
		if (this.isClosed) return;
		this.#keeper?.policyClosed();
		super.close();
		this.#outbound?.close();
	}
}
