/**
 * An action that says `enforce: false` of itself: it only reports, so a text of it that can't be filled in fails no request
 * (contract 5). What it would have done it reports itself. Made by `prepare.ts`.
 */
import type { Settled, Suspension } from "../../cel/expression.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { Outcome, PolicyExchange } from "../exchange.ts";
import { CONTINUE, EXPRESSION_FAILED, FAILED } from "../outcomes.ts";

export class UnenforcedAction implements RunnableAction {
	readonly #action: RunnableAction;

	constructor(action: RunnableAction) {
		this.#action = action;
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const outcome = this.#action.run(exchange, settled);
		// The action has reported its failure itself.
		return outcome === FAILED || outcome === EXPRESSION_FAILED ? CONTINUE : outcome;
	}

	close(): void {
		this.#action.close?.();
	}
}
