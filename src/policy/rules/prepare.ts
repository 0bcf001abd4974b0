/**
 * Makes the rules of one phase ready to be opened for a route: compiles their expressions, prepares their actions and
 * builds the index over them. Called by `compile.ts`, step by step.
 */
import type { Phase, Predicate } from "../../cel/expression.ts";
import type { Guards } from "../../cel/guard/algebra.ts";
import { codeInRow } from "../../cel/program.ts";
import type { PreparedAction } from "../actions/action.ts";
import { actionOf } from "../actions/table.ts";
import type { RuleDocument } from "../document/schema.ts";
import { Compiler } from "../programs/compiler.ts";
import { RuleFusion } from "./fusion.ts";
import { GuardIndex, ruleGuards } from "./guard-index.ts";
import { PhaseRules, type ToldRule } from "./phase-rules.ts";
import { PreparedPhase } from "./prepared-phase.ts";
import { ReportedAction } from "./reported-action.ts";
import { rowOf, startsIn } from "./rule-row.ts";

/** A rule while its phase is prepared. */
interface PreparedRule extends ToldRule {
	readonly predicates: readonly Predicate[];
	readonly actions: readonly PreparedAction[];
}

/** Leaves out rules that can never apply, and expressions that are always true. */
export function* preparePhase(
	documents: readonly RuleDocument[],
	phase: Phase,
	compiler: Compiler,
): Generator<undefined, PreparedPhase | undefined, unknown> {
	const rules: PreparedRule[] = [];
	for (const [ruleIndex, document] of documents.entries()) {
		const rule = yield* prepareRule(document, phase, ruleIndex, compiler);
		if (rule.predicates.every(({ constant }) => constant !== false)) rules.push(rule);
	}
	if (rules.length === 0) return undefined;
	const row = rowOf(rules.map(({ predicates, actions }) => [predicates, actions.length]));
	const actions = actionsOf(rules);
	if (rules.length < GuardIndex.paysFrom && rules.length < RuleFusion.paysFrom) {
		const told = new PhaseRules(phase, rules.map(asTexts), newCompiler);
		return new PreparedPhase(phase, told, actions, row);
	}
	const guards = rules.map(({ predicates }) => ruleGuards(predicates));
	yield;
	const fusion = yield* prepareFusion(rules, guards);
	const hasIndex = fusion !== undefined || GuardIndex.pays(guards);
	const index = hasIndex ? new GuardIndex(guards, fusion) : undefined;
	const starts = index === undefined ? undefined : startsIn(row, rules.length);
	const told = new PhaseRules(phase, rules, newCompiler);
	return new PreparedPhase(phase, told, actions, row, index, starts);
}

/** Of all rules, without the room for more that lists are made with: there may be 100,000 policies. */
function actionsOf(rules: readonly PreparedRule[]): readonly PreparedAction[] {
	const actions: PreparedAction[] = [];
	for (const rule of rules) for (const action of rule.actions) actions.push(action);
	return actions.slice();
}

/** Without its expressions, if they are in the row. */
function asTexts(rule: PreparedRule): ToldRule {
	const { index, name, predicates, expressionIndexes, reportsOnly } = rule;
	if (!predicates.every(isKeptAsText)) return rule;
	const sources = predicates.map(({ source }) => source);
	return { index, name, predicates: sources, expressionIndexes, reportsOnly };
}

/** A heavy one runs out of time as often as clients send much, and must not be made again within a request then. */
const isKeptAsText = (predicate: Predicate): boolean => codeInRow(predicate)?.isHeavy === false;
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
	const reportsOnly = rule.enforce === false;
	const actions: PreparedAction[] = [];
	for (const [actionIndex, { type, config }] of rule.actions.entries()) {
		const prepared = actionOf(type).prepare(config, phase, compiler);
		yield;
		if (!prepared.ok) throw invalid(`/${phase}/${ruleIndex}/actions/${actionIndex}`);
		actions.push(reportsOnly ? reported(prepared.value, type) : prepared.value);
	}
	const { name } = rule;
	return { index: ruleIndex, name, predicates, expressionIndexes: indexes, reportsOnly, actions };
}

const reported =
	(action: PreparedAction, type: string): PreparedAction =>
	(context) =>
		new ReportedAction(action(context), type, context.place);

const invalid = (pointer: string): Error =>
	new Error(`a policy that was not validated came to be compiled: ${pointer}`);
