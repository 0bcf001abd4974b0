/**
 * The expressions of a phase's rules in one array, so that deciding about a request reads one object instead of some
 * ten for each expression: with 100,000 policies in use most of what a request costs is waiting for memory. Made by
 * `prepare.ts`, read by `evaluate.ts`.
 *
 * A rule takes the cells from where it starts to where the next one starts, which is in its first cell. Then come its
 * expressions: each its function, which is one for all of a shape, how many cells its constants take, and the
 * constants. An expression whose function is not made yet has its code in the first cell, and `null` for each
 * constant; one that must be asked by itself has nothing there.
 */
import type { Attributes } from "../../cel/attributes.ts";
import type { Predicate } from "../../cel/expression.ts";
import type { Code } from "../../cel/lower/code.ts";
import { openShared, type Run } from "../../cel/lower/open.ts";
import { codeInRow } from "../../cel/program.ts";

/** Shared by all routes with the policy; cells change only when a function is made. */
export type RuleRow = unknown[];

/** `decide`: the rule applies */
export const APPLIES = -1;
/** `decide`: it does not */
export const DOES_NOT = -2;

/** @param rules of each the expressions, which must all be true */
export function rowOf(rules: readonly (readonly Predicate[])[]): RuleRow {
	const row: unknown[] = [];
	for (const predicates of rules) {
		const start = row.push(0) - 1;
		for (const predicate of predicates) {
			const code = codeInRow(predicate);
			const count = code?.constants.length ?? 0;
			row.push(code, count);
			for (let at = 0; at < count; at++) row.push(null);
		}
		row[start] = row.length;
	}
	return row.slice();
}

/** Is all that it takes to evaluate it in the row, but for what becomes of a failure? */
export const isInRow = (predicate: Predicate): boolean => codeInRow(predicate) !== undefined;

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

/**
 * Hot. @returns `APPLIES`, `DOES_NOT`, or which of the rule's expressions has to be asked by itself: it can suspend the
 * request, or its evaluation threw, which it does again
 */
export function decide(row: RuleRow, start: number, attributes: Attributes): number {
	const end = row[start] as number;
	let predicate = 0;
	try {
		for (let cell = start + 1; cell < end; cell += 2 + (row[cell + 1] as number)) {
			let run = row[cell] as Run | Code | undefined;
			if (typeof run !== "function") {
				if (run === undefined) return predicate;
				run = opened(row, cell, run);
			}
			if (run(attributes, row, cell + 2) !== true) return DOES_NOT;
			predicate += 1;
		}
	} catch {
		return predicate;
	}
	return APPLIES;
}

function opened(row: RuleRow, cell: number, code: Code): Run {
	const { run, constants } = openShared(code);
	for (let at = 0; at < constants.length; at++) row[cell + 2 + at] = constants[at];
	row[cell] = run;
	return run;
}
