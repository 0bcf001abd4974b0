/**
 * Runs the rules of one phase over an exchange (contract 4). Hot: called once or twice for each request through
 * `runnable-policy.ts`; makes no object unless a rule applies. The state of a run is two indexes, of the rule and of
 * its step, so that a run can stop where an expensive expression needs another thread, and go on there.
 */
import { beginInline, endInline, OUT_OF_BUDGET } from "../../cel/evaluation.ts";
import {
	type EvaluationFailure,
	isSuspension,
	type Phase,
	type Settled,
	type Settlement,
	type Suspension,
} from "../../cel/expression.ts";
import { suspensionOf } from "../../cel/program.ts";
import type { Outcome, PolicyExchange, SuspendedRun } from "../exchange.ts";
import { CONTINUE, DOES_NOT_APPLY, EXPRESSION_FAILED, failedBy } from "../outcomes.ts";
import type { GuardIndex } from "./guard-index.ts";
import { EndPlace, type PhaseRules } from "./phase-rules.ts";
import {
	APPLIES,
	actionAt,
	actionsIn,
	DOES_NOT,
	decide,
	expressionsIn,
	nextStart,
	type RuleRow,
	startIn,
	type Undecided,
} from "./rule-row.ts";

/** The effect of an expression that fails (contract 1, `expression_errors`). */
export type ExpressionErrors = "reject" | "skip";

export interface RunnablePhase {
	readonly phase: Phase;
	readonly rules: PhaseRules;
	/** their expressions and actions */
	readonly row: RuleRow;
	/** where each rule starts in the row, where they are not asked in order */
	readonly starts?: Uint32Array | undefined;
	/** undefined where the phase has too few rules for it to pay */
	readonly index: GuardIndex | undefined;
	readonly expressionErrors: ExpressionErrors;
	/** All expressions of the rule are true. */
	matched(rule: number): void;
	/** A request comes to its rules: what counting will need is asked for. */
	prefetch(): void;
	/** It has sent the request away. */
	refused(rule: number): void;
}

/** Runs the rules in order. @returns the outcome that ended the phase, or `CONTINUE` */
export function evaluatePhase(runnable: RunnablePhase, exchange: PolicyExchange): Outcome {
	runnable.prefetch();
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
	const start = startOf(runnable, run.rule);
	let outcome = runRule(runnable, run.rule, start, exchange, run.step, settled);
	if (ends(runnable, outcome)) noteEnd(runnable, run.rule, exchange, outcome);
	else outcome = evaluateFrom(runnable, run.rule + 1, exchange);
	exchange.inlineNanoseconds = endInline();
	return outcome;
}

const startOf = ({ row, starts }: RunnablePhase, rule: number): number =>
	starts?.[rule] ?? startIn(row, rule);

function evaluateFrom(runnable: RunnablePhase, first: number, exchange: PolicyExchange): Outcome {
	const { index } = runnable;
	if (index === undefined) return evaluateRow(runnable, first, exchange);
	index.select(exchange);
	for (let rule = index.next(first, exchange); rule >= 0; rule = index.next(rule + 1, exchange)) {
		const outcome = decideRule(runnable, rule, startOf(runnable, rule), exchange);
		if (ends(runnable, outcome)) {
			noteEnd(runnable, rule, exchange, outcome);
			return outcome;
		}
		// Its actions may have rewritten the URL.
		if (outcome !== DOES_NOT_APPLY) index.select(exchange);
	}
	return CONTINUE;
}

/** As `evaluateFrom`, of rules that are asked one after the other. */
function evaluateRow(runnable: RunnablePhase, first: number, exchange: PolicyExchange): Outcome {
	const { row } = runnable;
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
	start: number,
	exchange: PolicyExchange,
): Outcome {
	const decision = decide(runnable.row, start, exchange);
	if (decision === DOES_NOT) return DOES_NOT_APPLY;
	if (decision === APPLIES) {
		runnable.matched(rule);
		return runActions(runnable, rule, start, exchange, 0, undefined);
	}
	if (typeof decision !== "number") return undecided(runnable, rule, exchange, decision);
	return runRule(runnable, rule, start, exchange, decision, undefined);
}

/** An expression of the row has failed, or run out of time. */
function undecided(
	runnable: RunnablePhase,
	rule: number,
	exchange: PolicyExchange,
	{ predicate, result }: Undecided,
): Outcome {
	if (result !== OUT_OF_BUDGET) return failed(runnable, rule, predicate, exchange, result);
	const predicates = runnable.rules.predicatesOf(rule);
	return suspended(runnable, rule, predicate, suspensionOf(predicates[predicate]));
}

function failed(
	{ rules }: RunnablePhase,
	rule: number,
	predicate: number,
	exchange: PolicyExchange,
	failure: EvaluationFailure,
): Outcome {
	exchange.expressionFailed(rules.placeOf(rule, predicate), failure.message);
	return rules.reportsOnly(rule) ? DOES_NOT_APPLY : failedBy(failure);
}

function ends(runnable: RunnablePhase, outcome: Outcome): boolean {
	if (outcome === DOES_NOT_APPLY || outcome === CONTINUE) return false;
	return outcome !== EXPRESSION_FAILED || runnable.expressionErrors !== "skip";
}

/** Which rule it was; of a suspension nobody knows yet. */
function noteEnd(
	runnable: RunnablePhase,
	rule: number,
	exchange: PolicyExchange,
	outcome: Outcome,
): void {
	if (outcome.kind !== "suspended") exchange.endedBy = new EndPlace(runnable, rule);
}

/**
 * Evaluates expressions while they are true, then runs actions until one ends the request or the rule.
 * @param first the step to begin with, by itself; expressions and actions are counted in one row
 * @param settled the results for that step
 */
function runRule(
	runnable: RunnablePhase,
	rule: number,
	start: number,
	exchange: PolicyExchange,
	first: number,
	settled: Settled | undefined,
): Outcome {
	const { rules, row } = runnable;
	const count = expressionsIn(row, start);
	let known = settled;
	let next = first;
	while (next < count) {
		const result = rules.predicatesOf(rule)[next]?.evaluate(exchange, known);
		if (result === false || result === undefined) return DOES_NOT_APPLY;
		if (result !== true) {
			return isSuspension(result)
				? suspended(runnable, rule, next, result, known)
				: failed(runnable, rule, next, exchange, result);
		}
		known = undefined;
		const decision = decide(row, start, exchange, next + 1);
		if (decision === DOES_NOT) return DOES_NOT_APPLY;
		if (typeof decision !== "number") return undecided(runnable, rule, exchange, decision);
		next = decision === APPLIES ? count : decision;
	}
	// Asked again after an action that waited, it was counted before.
	if (first < count || settled === undefined) runnable.matched(rule);
	return runActions(runnable, rule, start, exchange, Math.max(first - count, 0), known);
}

/** Until one ends the request or the rule. @param first the action to begin with @param settled for that one */
function runActions(
	runnable: RunnablePhase,
	rule: number,
	start: number,
	exchange: PolicyExchange,
	first: number,
	settled: Settled | undefined,
): Outcome {
	const { row } = runnable;
	const begin = actionsIn(row, start);
	const end = nextStart(row, start);
	let known = settled;
	for (let cell = begin + first; cell < end; cell++) {
		const outcome = actionAt(row, cell).run(exchange, known);
		if (outcome === CONTINUE) {
			known = undefined;
			continue;
		}
		if (!isSuspension(outcome)) {
			if (isRefusal(outcome)) runnable.refused(rule);
			return outcome;
		}
		const step = expressionsIn(row, start) + cell - begin;
		return suspended(runnable, rule, step, outcome, known);
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
