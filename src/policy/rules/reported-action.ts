/**
 * An action of a rule with `enforce: false` (contract 4): it runs, and what it would have done is reported, but
 * nothing comes of it. Made by `prepare.ts`.
 */
import { isSuspension, type Settled, type Suspension } from "../../cel/expression.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE, DOES_NOT_APPLY, EXPRESSION_FAILED, FAILED } from "../outcomes.ts";

export class ReportedAction implements RunnableAction {
	readonly #action: RunnableAction;
	readonly #type: string;
	readonly #place: Place;

	constructor(action: RunnableAction, type: string, place: Place) {
		this.#action = action;
		this.#type = type;
		this.#place = place;
	}

	/** @returns `DOES_NOT_APPLY` where the action would have ended the phase, or failed: no later action of the rule runs */
	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const report = { acted: false };
		exchange.report = report;
		let outcome: Outcome | Suspension;
		try {
			outcome = this.#action.run(exchange, settled);
		} finally {
			exchange.report = undefined;
		}
		if (isSuspension(outcome)) return outcome;
		// The action has reported its failure itself.
		if (outcome === FAILED || outcome === EXPRESSION_FAILED) return DOES_NOT_APPLY;
		if (outcome !== CONTINUE || report.acted) exchange.wouldHave(this.#place, this.#type);
		return outcome === CONTINUE ? CONTINUE : DOES_NOT_APPLY;
	}

	close(): void {
		this.#action.close?.();
	}
}
