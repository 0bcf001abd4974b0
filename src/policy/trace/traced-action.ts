/** An action that tells what came of its run. Made by `traced-policy.ts`. */
import { isSuspension, type Settled, type Suspension } from "../../cel/expression.ts";
import { shownValue } from "../../cel/trace/shown.ts";
import type { Value } from "../../cel/values/value.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE, DOES_NOT_APPLY, EXPRESSION_FAILED, FAILED } from "../outcomes.ts";
import type { ActionTrace } from "./shapes.ts";
import type { Tracer } from "./tracer.ts";

export class TracedAction implements RunnableAction {
	readonly #action: RunnableAction;
	readonly #place: Place;
	readonly #config: Readonly<Record<string, unknown>>;
	readonly #tracer: Tracer;

	constructor(
		action: RunnableAction,
		place: Place,
		config: Readonly<Record<string, unknown>>,
		tracer: Tracer,
	) {
		this.#action = action;
		this.#place = place;
		this.#config = config;
		this.#tracer = tracer;
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const tracer = this.#tracer;
		tracer.applied(this.#place);
		tracer.actionBegins(this.#place, this.#config);
		const before = variables(exchange);
		const outcome = this.#action.run(exchange, settled);
		if (isSuspension(outcome)) {
			tracer.actionEnds("not_reached");
			return outcome;
		}
		for (const [name, value] of variables(exchange)) {
			if (before.get(name) !== value)
				tracer.effect({ kind: "set_var", name: `vars.${name}`, value: shownValue(value) });
		}
		const state = stateAfter(outcome);
		tracer.actionEnds(state);
		if (state === "ended") tracer.became(this.#place, "ended", "It has ended the phase.");
		if (state === "failed") tracer.became(this.#place, "failed", "One of its actions failed.");
		return outcome;
	}
}

function stateAfter(outcome: Outcome): ActionTrace["state"] {
	if (outcome === FAILED || outcome === EXPRESSION_FAILED) return "failed";
	if (outcome === CONTINUE) return "ran";
	return outcome === DOES_NOT_APPLY ? "would_have" : "ended";
}

function variables({ results }: PolicyExchange): ReadonlyMap<string, Value> {
	const vars = results?.vars;
	return new Map((vars?.keys() ?? []).map((name) => [String(name), vars?.get(name) ?? null]));
}
