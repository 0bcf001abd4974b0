/**
 * An action that says `enforce: false` of itself: it only reports, so a text of it that can't be filled in fails no request
 * (contract 5). What it would have done it reports itself. Made by `prepare.ts` and `trace/traced-policy.ts`.
 */
import type { Settled, Suspension } from "../../cel/expression.ts";
import type { PreparedAction, RunnableAction } from "../actions/action.ts";
import type { Outcome, PolicyExchange } from "../exchange.ts";
import { DOES_NOT_APPLY, EXPRESSION_FAILED, FAILED } from "../outcomes.ts";

/** @param config of the action @returns the action itself, unless it only reports */
export function asEnforced(prepared: PreparedAction, config: object): PreparedAction {
	const { enforce } = config as { readonly enforce?: unknown };
	return enforce === false ? (context) => new UnenforcedAction(prepared(context)) : prepared;
}

class UnenforcedAction implements RunnableAction {
	readonly #action: RunnableAction;

	constructor(action: RunnableAction) {
		this.#action = action;
	}

	/** @returns `DOES_NOT_APPLY` where the action failed, as of a rule that only reports: no later action of the rule runs */
	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const outcome = this.#action.run(exchange, settled);
		// The action has reported its failure itself.
		return outcome === FAILED || outcome === EXPRESSION_FAILED ? DOES_NOT_APPLY : outcome;
	}

	close(): void {
		this.#action.close?.();
	}
}
