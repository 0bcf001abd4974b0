/**
 * Runs the rules of one phase over an exchange (contract 4). Hot: called once or twice per request by the edge,
 * through `compile.ts`; makes nothing unless a rule applies. The state of a run is two indexes, of the rule and
 * of the action, so that a later version may stop at one and go on there.
 */
import { EvaluationFailure, type Predicate } from "../cel/expression.ts";
import type { RunnableAction } from "./actions/action.ts";
import type { Outcome, Place, PolicyExchange } from "./exchange.ts";
import { CONTINUE, EXPRESSION_FAILED } from "./outcomes.ts";

export interface RunnableRule {
	/** all must be true; without those that are always true */
	readonly predicates: readonly Predicate[];
	/** place of each predicate */
	readonly places: readonly Place[];
	readonly actions: readonly RunnableAction[];
}

/** What a failing expression does (contract 1, `expression_errors`). */
export type ExpressionErrors = "reject" | "skip";

const APPLIES = 0;
const DOES_NOT_APPLY = 1;
const FAILS = 2;

/** Rules in order; what ends the phase, or `CONTINUE`. */
export function evaluateRules(
	rules: readonly RunnableRule[],
	exchange: PolicyExchange,
	expressionErrors: ExpressionErrors,
): Outcome {
	for (let index = 0; index < rules.length; index++) {
		const rule = rules[index];
		if (rule === undefined) continue;
		const verdict = judge(rule, exchange);
		if (verdict === DOES_NOT_APPLY) continue;
		const outcome = verdict === APPLIES ? runActions(rule.actions, exchange) : EXPRESSION_FAILED;
		if (outcome === CONTINUE) continue;
		if (outcome === EXPRESSION_FAILED && expressionErrors === "skip") continue;
		return outcome;
	}
	return CONTINUE;
}

function judge(rule: RunnableRule, exchange: PolicyExchange): number {
	const predicates = rule.predicates;
	for (let index = 0; index < predicates.length; index++) {
		const result = predicates[index]?.evaluate(exchange);
		if (result === true) continue;
		if (result instanceof EvaluationFailure) {
			const place = rule.places[index];
			if (place !== undefined) exchange.expressionFailed(place, result.message);
			return FAILS;
		}
		return DOES_NOT_APPLY;
	}
	return APPLIES;
}

/** Actions in order until one ends the request or the rule. */
function runActions(actions: readonly RunnableAction[], exchange: PolicyExchange): Outcome {
	for (let index = 0; index < actions.length; index++) {
		const outcome = actions[index]?.run(exchange) ?? CONTINUE;
		if (outcome !== CONTINUE) return outcome;
	}
	return CONTINUE;
}
