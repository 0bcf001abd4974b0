/**
 * Runs the rules of one phase over an exchange (contract 4). Hot: called once or twice for each request through
 * `runnable-policy.ts`; makes no object unless a rule applies. The state of a run is two indexes, of the rule and of
 * its step, so that a run can stop where an expensive expression needs another thread, and go on there.
 */
import { beginInline, endInline } from "../../cel/evaluation.ts";
import {
	isSuspension,
	type Phase,
	type Predicate,
	type Settled,
	type Settlement,
	type Suspension,
} from "../../cel/expression.ts";
import type { PhaseCounts } from "../../telemetry/traffic/rule-counts.ts";
import type { RunnableAction } from "../actions/action.ts";
import type { Outcome, Place, PolicyExchange, SuspendedRun } from "../exchange.ts";
import { CONTINUE, DOES_NOT_APPLY, EXPRESSION_FAILED, failedBy } from "../outcomes.ts";
import type { GuardIndex } from "./guard-index.ts";
import { APPLIES, DOES_NOT, decide, nextStart, type RuleRow, startIn } from "./rule-row.ts";

/** The part of a rule that all routes with its policy have in common. */
export interface RunnableRule {
	/** in the document */
	readonly index: number;
	readonly name: string;
	/** all must be true; expressions that are always true are left out */
	readonly predicates: readonly Predicate[];
	/** of the predicates, where they are kept apart from them */
	readonly sources?: readonly string[] | undefined;
	/** where in the rule each predicate stands; undefined: all expressions are there, in their order */
	readonly expressionIndexes: readonly number[] | undefined;
	/** with the place of each action */
	readonly steps: readonly { readonly place: Place }[];
	/** its actions only report, and an expression that fails means that it does not apply */
	readonly reportsOnly: boolean;
}

/** The effect of an expression that fails (contract 1, `expression_errors`). */
export type ExpressionErrors = "reject" | "skip";

export interface RunnablePhase {
	readonly phase: Phase;
	readonly rules: readonly RunnableRule[];
	/** their expressions; undefined: each is asked by itself */
	readonly row?: RuleRow | undefined;
	/** where each rule starts in the row, where they are not asked in order */
	readonly starts?: Uint32Array | undefined;
	/** of each rule */
	readonly actions: readonly (readonly RunnableAction[])[];
	/** undefined where the phase has too few rules for it to pay */
	readonly index: GuardIndex | undefined;
	/** which rules apply, and which refuse; undefined: nobody counts */
	readonly counts?: PhaseCounts | undefined;
	readonly expressionErrors: ExpressionErrors;
}

/** Runs the rules in order. @returns the outcome that ended the phase, or `CONTINUE` */
export function evaluatePhase(runnable: RunnablePhase, exchange: PolicyExchange): Outcome {
	beginInline(exchange.inlineNanoseconds);
	const outcome = evaluateFrom(runnable, 0, exchange);
	exchange.inlineNanoseconds = endInline();
	return outcome;
}

/** Goes on where a run stopped: asks the step again, with the result, then runs the rest in order. */
export function resumePhase(
	runnable: RunnablePhase,
	exchange: PolicyExchange,
	run: SuspendedRun,
	result: Settlement,
): Outcome {
	beginInline(exchange.inlineNanoseconds);
	const settled = new Map(run.settled).set(run.suspension, result);
	let outcome = runRule(runnable, run.rule, exchange, run.step, settled);
	if (ends(runnable, outcome)) noteEnd(runnable, run.rule, exchange, outcome);
	else outcome = evaluateFrom(runnable, run.rule + 1, exchange);
	exchange.inlineNanoseconds = endInline();
	return outcome;
}

function evaluateFrom(runnable: RunnablePhase, first: number, exchange: PolicyExchange): Outcome {
	const { index, row } = runnable;
	if (index === undefined && row !== undefined) return evaluateRow(runnable, row, first, exchange);
	index?.select(exchange);
	for (
		let rule = next(runnable, first, exchange);
		rule >= 0;
		rule = next(runnable, rule + 1, exchange)
	) {
		const outcome = decideRule(runnable, rule, runnable.starts?.[rule], exchange);
		if (ends(runnable, outcome)) {
			noteEnd(runnable, rule, exchange, outcome);
			return outcome;
		}
		// Its actions may have rewritten the URL.
		if (outcome !== DOES_NOT_APPLY) index?.select(exchange);
	}
	return CONTINUE;
}

/** As `evaluateFrom`, of rules that are asked one after the other: they are not even looked at unless they apply. */
function evaluateRow(
	runnable: RunnablePhase,
	row: RuleRow,
	first: number,
	exchange: PolicyExchange,
): Outcome {
	let start = startIn(row, first);
	for (let rule = first; start < row.length; rule++) {
		const outcome = decideRule(runnable, rule, start, exchange);
		if (ends(runnable, outcome)) {
			noteEnd(runnable, rule, exchange, outcome);
			return outcome;
		}
		start = nextStart(row, start);
	}
	return CONTINUE;
}

/** Asks the row whether the rule applies, and runs it as far as is left to do. @param start in the row */
function decideRule(
	runnable: RunnablePhase,
	rule: number,
	start: number | undefined,
	exchange: PolicyExchange,
): Outcome {
	const { row } = runnable;
	if (row === undefined || start === undefined)
		return runRule(runnable, rule, exchange, 0, undefined);
	const decision = decide(row, start, exchange);
	if (decision === DOES_NOT) return DOES_NOT_APPLY;
	if (decision !== APPLIES) return runRule(runnable, rule, exchange, decision, undefined);
	runnable.counts?.matched(rule);
	return runActions(runnable, rule, exchange, 0, undefined);
}

/** The next rule that may apply, or -1. */
function next({ index, rules }: RunnablePhase, from: number, exchange: PolicyExchange): number {
	if (index !== undefined) return index.next(from, exchange);
	return from < rules.length ? from : -1;
}

function ends(runnable: RunnablePhase, outcome: Outcome): boolean {
	if (outcome === DOES_NOT_APPLY || outcome === CONTINUE) return false;
	return outcome !== EXPRESSION_FAILED || runnable.expressionErrors !== "skip";
}

/** Which rule it was; of a suspension nobody knows yet. */
function noteEnd(
	{ phase, rules }: RunnablePhase,
	index: number,
	exchange: PolicyExchange,
	outcome: Outcome,
): void {
	if (outcome.kind === "suspended") return;
	const rule = rules[index];
	exchange.endedBy = rule?.steps[0]?.place ?? (rule && placeOf(phase, rule, 0));
}

/** Made when it is told, for it is seldom: there may be 100,000 policies in use. @param predicate of the rule's */
const placeOf = (
	phase: Phase,
	{ index, name, expressionIndexes }: RunnableRule,
	predicate: number,
): Place => ({
	phase,
	ruleIndex: index,
	ruleName: name,
	expressionIndex: expressionIndexes?.[predicate] ?? predicate,
	actionIndex: -1,
});

/**
 * Evaluates expressions while they are true, then runs actions until one ends the request or the rule.
 * @param first the step to begin with; expressions and actions are counted in one row
 * @param settled the results for that step
 */
function runRule(
	runnable: RunnablePhase,
	ruleIndex: number,
	exchange: PolicyExchange,
	first: number,
	settled: Settled | undefined,
): Outcome {
	const rule = runnable.rules[ruleIndex];
	if (rule === undefined) return DOES_NOT_APPLY;
	const { predicates } = rule;
	const count = predicates.length;
	let known = settled;
	for (let index = first; index < count; index++) {
		const result = predicates[index]?.evaluate(exchange, known);
		if (result === true) {
			known = undefined;
			continue;
		}
		if (result === false || result === undefined) return DOES_NOT_APPLY;
		if (isSuspension(result)) return suspended(runnable, ruleIndex, index, result, known);
		exchange.expressionFailed(placeOf(runnable.phase, rule, index), result.message);
		return rule.reportsOnly ? DOES_NOT_APPLY : failedBy(result);
	}
	// Asked again after an action that waited, it was counted before.
	if (first < count || settled === undefined) runnable.counts?.matched(ruleIndex);
	return runActions(runnable, ruleIndex, exchange, Math.max(first - count, 0), known);
}

/** Until one ends the request or the rule. @param first the action to begin with @param settled for that one */
function runActions(
	runnable: RunnablePhase,
	ruleIndex: number,
	exchange: PolicyExchange,
	first: number,
	settled: Settled | undefined,
): Outcome {
	let known = settled;
	const actions = runnable.actions[ruleIndex] ?? NO_ACTIONS;
	for (let index = first; index < actions.length; index++) {
		const outcome = actions[index]?.run(exchange, known) ?? CONTINUE;
		if (outcome === CONTINUE) {
			known = undefined;
			continue;
		}
		if (!isSuspension(outcome)) {
			if (isRefusal(outcome)) runnable.counts?.refused(ruleIndex);
			return outcome;
		}
		const before = runnable.rules[ruleIndex]?.predicates.length ?? 0;
		return suspended(runnable, ruleIndex, before + index, outcome, known);
	}
	return CONTINUE;
}

/** @throws Error if the step asks for a result that it has been given, which would never end */
function suspended(
	{ phase }: RunnablePhase,
	rule: number,
	step: number,
	suspension: Suspension,
	settled: Settled = NOTHING,
): Outcome {
	if (settled.has(suspension)) throw new Error("an evaluation was settled and suspends again");
	return { kind: "suspended", run: { phase, rule, step, suspension, settled } };
}

/** The request goes no further because the rule does not want it. */
const isRefusal = ({ kind }: Outcome): boolean =>
	kind === "deny" || kind === "limited" || kind === "refused" || kind === "close";

const NOTHING: Settled = new Map();
const NO_ACTIONS: readonly RunnableAction[] = [];
