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
import { asEnforced } from "./unenforced-action.ts";

/** Leaves out rules that can never apply, and expressions that are always true. */
export function* preparePhase(
	documents: readonly RuleDocument[],
	phase: Phase,
	compiler: Compiler,
	pace: Pace,
): Generator<undefined, PreparedPhase | undefined, unknown> {
	const rules: PreparedRule[] = [];
	for (let at = 0; at < documents.length; at++) {
		const rule = new PreparedRule(documents[at] as RuleDocument, phase, at, compiler);
		while (rule.prepareNext()) if (pace.isDue()) yield;
		if (rule.mayApply) rules.push(rule);
	}
	if (rules.length === 0) return undefined;
	const row = rowOf(rules);
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

/** When whoever prepares a policy step by step pauses. */
export interface Pace {
	/** Asked after each expression and each action. */
	isDue(): boolean;
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

/** A rule while its phase is prepared. */
class PreparedRule implements ToldRule {
	readonly index: number;
	readonly predicates: Predicate[] = [];
	readonly actions: PreparedAction[] = [];
	expressionIndexes: number[] | undefined;
	readonly #document: RuleDocument;
	readonly #phase: Phase;
	readonly #compiler: Compiler;
	/** of the document's expressions, and then of its actions */
	#next = 0;

	constructor(document: RuleDocument, phase: Phase, index: number, compiler: Compiler) {
		this.#document = document;
		this.#phase = phase;
		this.index = index;
		this.#compiler = compiler;
	}

	get name(): string {
		return this.#document.name;
	}

	/** No expression says that it never does. */
	get mayApply(): boolean {
		return this.predicates.every(({ constant }) => constant !== false);
	}

	get reportsOnly(): boolean {
		return this.#document.enforce === false;
	}

	/** One expression or action. @returns false when there is none left */
	prepareNext(): boolean {
		const { expressions, actions } = this.#document;
		const at = this.#next++;
		if (at < expressions.length) this.#prepareExpression(expressions[at] ?? "", at);
		else if (at - expressions.length < actions.length) this.#prepareAction(at - expressions.length);
		else return false;
		return true;
	}

	#prepareExpression(source: string, at: number): void {
		const predicate = this.#compiler.predicate(source, this.#phase);
		if (!predicate.ok) throw invalid(`/${this.#phase}/${this.index}/expressions/${at}`);
		if (predicate.value.constant === true) {
			this.expressionIndexes ??= this.predicates.map((_, index) => index);
			return;
		}
		this.predicates.push(predicate.value);
		this.expressionIndexes?.push(at);
	}

	#prepareAction(at: number): void {
		const { type, config } = this.#document.actions[at] as RuleDocument["actions"][number];
		const prepared = actionOf(type).prepare(config, this.#phase, this.#compiler);
		if (!prepared.ok) throw invalid(`/${this.#phase}/${this.index}/actions/${at}`);
		const action = asEnforced(prepared.value, config);
		this.actions.push(this.reportsOnly ? reported(action, type) : action);
	}
}

const reported =
	(action: PreparedAction, type: string): PreparedAction =>
	(context) =>
		new ReportedAction(action(context), type, context.place);

const invalid = (pointer: string): Error =>
	new Error(`a policy that was not validated came to be compiled: ${pointer}`);
