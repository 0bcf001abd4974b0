/**
 * Makes the rules of one phase ready to be opened for a route: compiles their expressions, prepares their actions and
 * builds the index over them. Called by `compile.ts`, step by step.
 */
import type { Phase, Predicate } from "../../cel/expression.ts";
import type { Guards } from "../../cel/guard/algebra.ts";
import { actionOf } from "../actions/table.ts";
import type { RuleDocument } from "../document/schema.ts";
import { Compiler } from "../programs/compiler.ts";
import { RuleFusion } from "./fusion.ts";
import { GuardIndex, ruleGuards } from "./guard-index.ts";
import { type PreparedRule, type PreparedStep, withoutPredicates } from "./prepared-rule.ts";
import { isInRow, type RuleRow, rowOf, startsIn } from "./rule-row.ts";

export interface PreparedPhase {
	readonly phase: Phase;
	readonly rules: readonly PreparedRule[];
	readonly index: GuardIndex | undefined;
	readonly row: RuleRow | undefined;
	readonly starts: Uint32Array | undefined;
}

const WITHOUT_RULES: Readonly<Record<Phase, PreparedPhase>> = {
	inbound: { phase: "inbound", rules: [], index: undefined, row: undefined, starts: undefined },
	outbound: { phase: "outbound", rules: [], index: undefined, row: undefined, starts: undefined },
};

/** Leaves out rules that can never apply, and expressions that are always true. */
export function* preparePhase(
	rules: readonly RuleDocument[],
	phase: Phase,
	compiler: Compiler,
): Generator<undefined, PreparedPhase, unknown> {
	if (rules.length === 0) return WITHOUT_RULES[phase];
	const prepared: PreparedRule[] = [];
	for (const [ruleIndex, document] of rules.entries()) {
		const rule = yield* prepareRule(document, phase, ruleIndex, compiler);
		if (rule.predicates.every(({ constant }) => constant !== false)) prepared.push(rule);
	}
	const row = rowOf(prepared.map(({ predicates }) => predicates));
	if (prepared.length < GuardIndex.paysFrom && prepared.length < RuleFusion.paysFrom)
		return { phase, rules: prepared.map(kept(phase)), index: undefined, row, starts: undefined };
	const guards = prepared.map(({ predicates }) => ruleGuards(predicates));
	yield;
	const fusion = yield* prepareFusion(prepared, guards);
	const hasIndex = fusion !== undefined || GuardIndex.pays(guards);
	const index = hasIndex ? new GuardIndex(guards, fusion) : undefined;
	const starts = index === undefined ? undefined : startsIn(row, prepared.length);
	return { phase, rules: trimmed(prepared), index, row, starts };
}

const kept = (phase: Phase) => (rule: PreparedRule) =>
	rule.predicates.every(isInRow) ? withoutPredicates(rule, phase, newCompiler) : rule;
const newCompiler = (): Compiler => new Compiler();

/**
 * Puts the expressions of rules that the index can't pass over into one function for 32 rules.
 * @returns undefined where such rules are too few
 */
function* prepareFusion(
	rules: readonly PreparedRule[],
	guards: readonly Guards[],
): Generator<undefined, RuleFusion | undefined, unknown> {
	const unguarded = rules.map(({ predicates }, at) => {
		const isLookedUp = GuardIndex.pays(guards) && (guards[at]?.length ?? 0) > 0;
		return isLookedUp ? [] : predicates;
	});
	if (!RuleFusion.pays(unguarded)) return undefined;
	const fusion = new RuleFusion(unguarded);
	// A few functions are made by the first request that comes to them; many would hold it up.
	for (let word = 0; word < fusion.words && fusion.words > FEW_WORDS; word++) {
		fusion.open(word);
		yield;
	}
	return fusion;
}

const FEW_WORDS = 2;

function* prepareRule(
	rule: RuleDocument,
	phase: Phase,
	ruleIndex: number,
	compiler: Compiler,
): Generator<undefined, PreparedRule, unknown> {
	const ruleName = rule.name;
	const predicates: Predicate[] = [];
	let indexes: number[] | undefined;
	for (let expressionIndex = 0; expressionIndex < rule.expressions.length; expressionIndex++) {
		const source = rule.expressions[expressionIndex] ?? "";
		const predicate = compiler.predicate(source, phase);
		yield;
		if (!predicate.ok) throw invalid(`/${phase}/${ruleIndex}/expressions/${expressionIndex}`);
		if (predicate.value.constant === true) {
			indexes ??= predicates.map((_, index) => index);
			continue;
		}
		predicates.push(predicate.value);
		indexes?.push(expressionIndex);
	}
	const steps: PreparedStep[] = [];
	for (const [actionIndex, action] of rule.actions.entries()) {
		const prepared = actionOf(action.type).prepare(action.config, phase, compiler);
		yield;
		if (!prepared.ok) throw invalid(`/${phase}/${ruleIndex}/actions/${actionIndex}`);
		const place = { phase, ruleIndex, ruleName, expressionIndex: -1, actionIndex };
		steps.push({ prepared: prepared.value, type: action.type, place: Object.freeze(place) });
	}
	return {
		index: ruleIndex,
		name: ruleName,
		predicates: trimmed(predicates),
		expressionIndexes: indexes,
		steps: trimmed(steps),
		reportsOnly: rule.enforce === false,
	};
}

/** A copy without the room for 17 elements that the first `push` makes: there may be 100,000 policies in use. */
const trimmed = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NONE : list.slice());

const NONE: readonly never[] = Object.freeze([]);

const invalid = (pointer: string): Error =>
	new Error(`a policy that was not validated came to be compiled: ${pointer}`);
