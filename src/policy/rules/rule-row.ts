/**
 * The rules of a phase in one array: their expressions, and the actions behind them, so that deciding about a request
 * reads one object instead of some ten for each rule: with 100,000 policies in use most of what a request costs is waiting
 * for memory. Made by `prepare.ts`, filled with a route's actions by `open-phase.ts`, read by `evaluate.ts`.
 *
 * A rule takes the cells from where it starts to where the next one starts, which is in its first cell; the second says
 * where its actions begin. In between come its expressions: each its function, which is one for all of a shape, how many
 * cells its constants take and whether it is heavy (`sizeCell`), and the constants. An expression whose function is not
 * made yet has its code in the first cell, and `null` for each constant; one that must be asked by itself has nothing there.
 */
import type { Attributes } from "../../cel/attributes.ts";
import { evaluateInline, type OUT_OF_BUDGET, resultOf } from "../../cel/evaluation.ts";
import type { EvaluationFailure, Predicate } from "../../cel/expression.ts";
import type { Code } from "../../cel/lower/code.ts";
import { openIfReady, openShared, type Run } from "../../cel/lower/open.ts";
import { codeInRow } from "../../cel/program.ts";
import type { RunnableAction } from "../actions/action.ts";

/** Of one route; but for the actions, cells change only when a function is made. */
export type RuleRow = unknown[];

/** `decide`: the rule applies */
export const APPLIES = -1;
/** `decide`: it does not */
export const DOES_NOT = -2;

/** cells before a rule's expressions */
const HEAD = 2;

/** One number for both, as a row is to be short. */
const sizeCell = (constants: number, isHeavy: boolean): number => constants * 2 + (isHeavy ? 1 : 0);
const constantsOf = (row: RuleRow, cell: number): number => (row[cell + 1] as number) >> 1;
const isHeavyAt = (row: RuleRow, cell: number): boolean => ((row[cell + 1] as number) & 1) === 1;

/** Of each rule its expressions, which must all be true, and as many actions as there will be. */
interface RowRule {
	readonly predicates: readonly Predicate[];
	readonly actions: { readonly length: number };
}

export function rowOf(rules: readonly RowRule[]): RuleRow {
	const row: unknown[] = [];
	for (const { predicates, actions } of rules) {
		const start = row.length;
		row.push(0, 0);
		for (const predicate of predicates) {
			const { code, isHeavy = false } = codeInRow(predicate) ?? {};
			const ready = code && openIfReady(code);
			const count = code?.constants.length ?? 0;
			row.push(ready?.run ?? code, sizeCell(count, isHeavy));
			for (let at = 0; at < count; at++) row.push(ready?.constants[at] ?? null);
		}
		row[start + 1] = row.length;
		for (let action = 0; action < actions.length; action++) row.push(undefined);
		row[start] = row.length;
	}
	// without the room for more that `push` has made
	return row.slice();
}

/** For another route. Sets and the like that both need are made once. */
export function copyOf(row: RuleRow): RuleRow {
	for (let start = 0; start < row.length; start = nextStart(row, start)) {
		const end = actionsIn(row, start);
		for (let cell = start + HEAD; cell < end; cell += 2 + constantsOf(row, cell)) {
			const code = row[cell] as Run | Code | undefined;
			if (typeof code !== "object") continue;
			if (code.constants.some(({ kind }) => kind !== "value")) opened(row, cell, code);
		}
	}
	return row.slice();
}

/** Where rule number `rule` starts; the row's length if it has so few. */
export function startIn(row: RuleRow, rule: number): number {
	let start = 0;
	for (let left = rule; left > 0 && start < row.length; left--) start = nextStart(row, start);
	return start;
}

/** Where each of so many rules starts. */
export function startsIn(row: RuleRow, rules: number): Uint32Array {
	const starts = new Uint32Array(rules);
	for (let rule = 0, start = 0; rule < rules; rule++, start = nextStart(row, start))
		starts[rule] = start;
	return starts;
}

/** Hot. Where the rule behind that at `start` starts. */
export const nextStart = (row: RuleRow, start: number): number => row[start] as number;

/** Hot. Where the actions of the rule at `start` begin; they end where the next rule starts. */
export const actionsIn = (row: RuleRow, start: number): number => row[start + 1] as number;

export const actionAt = (row: RuleRow, cell: number): RunnableAction => row[cell] as RunnableAction;

/** How many expressions the rule at `start` has. */
export function expressionsIn(row: RuleRow, start: number): number {
	let count = 0;
	const end = actionsIn(row, start);
	for (let cell = start + HEAD; cell < end; cell += 2 + constantsOf(row, cell)) count++;
	return count;
}

/** What an expression came to that is neither true nor false. */
export class Undecided {
	/** which of the rule's expressions */
	readonly predicate: number;
	readonly result: EvaluationFailure | typeof OUT_OF_BUDGET;

	constructor(predicate: number, result: EvaluationFailure | typeof OUT_OF_BUDGET) {
		this.predicate = predicate;
		this.result = result;
	}
}

/**
 * Hot. @param first of the rule's expressions; those before it are true
 * @returns `APPLIES`, `DOES_NOT`, which of the rule's expressions has to be asked by itself, or what one came to
 */
export function decide(
	row: RuleRow,
	start: number,
	attributes: Attributes,
	first = 0,
): number | Undecided {
	const end = row[start + 1] as number;
	let cell = start + HEAD;
	for (let before = first; before > 0; before--) cell += 2 + constantsOf(row, cell);
	let predicate = first;
	try {
		for (; cell < end; cell += 2 + constantsOf(row, cell)) {
			let run = row[cell] as Run | Code | undefined;
			if (typeof run !== "function") {
				if (run === undefined) return predicate;
				run = opened(row, cell, run);
			}
			const holds = isHeavyAt(row, cell)
				? evaluateInline(run, attributes, row, cell + 2)
				: run(attributes, row, cell + 2);
			if (holds === false) return DOES_NOT;
			// A dyn expression that yields no bool has thrown: there is nothing else.
			if (holds !== true) return new Undecided(predicate, holds as Undecided["result"]);
			predicate += 1;
		}
	} catch (error) {
		return new Undecided(predicate, resultOf(error));
	}
	return APPLIES;
}

function opened(row: RuleRow, cell: number, code: Code): Run {
	const { run, constants } = openShared(code);
	for (let at = 0; at < constants.length; at++) row[cell + 2 + at] = constants[at];
	row[cell] = run;
	return run;
}
