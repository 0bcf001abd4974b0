/**
 * A phase of rules that are at hand, expressions and actions alike: nothing is compiled, indexed or counted. Made by
 * `trace/traced-policy.ts`, run by `evaluate.ts` as any other.
 */
import type { Phase, Predicate } from "../../cel/expression.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { ExpressionErrors, RunnablePhase } from "./evaluate.ts";
import { PhaseRules, type ToldRule } from "./phase-rules.ts";
import { actionsIn, rowOf, startIn } from "./rule-row.ts";

type ListedRule = ToldRule & { readonly predicates: readonly Predicate[] };

/** @param actions of each rule */
export function listedPhase(
	phase: Phase,
	rules: readonly ListedRule[],
	actions: readonly (readonly RunnableAction[])[],
	expressionErrors: ExpressionErrors,
): RunnablePhase {
	const row = rowOf(
		rules.map(({ predicates }, at) => ({ predicates, actions: actions[at] ?? [] })),
	);
	for (const [rule, own] of actions.entries()) {
		const first = actionsIn(row, startIn(row, rule));
		for (const [at, action] of own.entries()) row[first + at] = action;
	}
	return {
		phase,
		rules: new PhaseRules(phase, rules, nothingToCompile),
		row,
		index: undefined,
		expressionErrors,
		prefetch() {},
		matched() {},
		refused() {},
	};
}

const nothingToCompile = (): never => {
	throw new Error("these rules have their expressions");
};
