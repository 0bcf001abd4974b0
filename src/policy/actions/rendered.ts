/** Fills in a template while a request waits. Used by the actions whose texts may hold expressions. */
import {
	EvaluationFailure,
	type Settled,
	type Suspension,
	type Template,
} from "../../cel/expression.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { failedBy } from "../outcomes.ts";

/** Hot. The filled-in text; else the value that the action's `run` returns at once, a failure reported. */
export function rendered(
	template: Template,
	exchange: PolicyExchange,
	place: Place,
	settled: Settled | undefined,
): string | Outcome | Suspension {
	if (template.literal !== undefined) return template.literal;
	const text = template.render(exchange, settled);
	if (!(text instanceof EvaluationFailure)) return text;
	exchange.expressionFailed(place, text.message);
	return failedBy(text);
}
