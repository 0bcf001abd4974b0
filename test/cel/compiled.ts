/**
 * Short cuts for tests from a source to what it yields: predicates and templates in one step, where production
 * code makes programs that other threads open, and expressions of any type, where it asks for bools and texts.
 */
import type { Attributes } from "../../src/cel/attributes.ts";
import { BUDGET } from "../../src/cel/budget.ts";
import type { Type } from "../../src/cel/check/types.ts";
import {
	type Accepts,
	type CheckedExpression,
	checkExpression,
	predicateProgram,
} from "../../src/cel/compile.ts";
import { evaluateWithin, OUT_OF_BUDGET, TOO_LONG } from "../../src/cel/evaluation.ts";
import type {
	EvaluationFailure,
	ExpressionProblem,
	Phase,
	Predicate,
	Template,
} from "../../src/cel/expression.ts";
import { assemble } from "../../src/cel/lower/assemble.ts";
import { openCode } from "../../src/cel/lower/open.ts";
import type { Fault } from "../../src/cel/problem.ts";
import { openPredicate } from "../../src/cel/program.ts";
import { openTemplate, templateProgram } from "../../src/cel/template.ts";
import type { Value } from "../../src/cel/values/value.ts";
import { ok, type Result } from "../../src/errors.ts";
import { LIMITS } from "../../src/limits/limits.ts";

/** nanoseconds; what tests evaluate ends long before */
const ENOUGH = 1e10;

export interface CompiledExpression {
	readonly type: Type;
	/** does it read a variable or ask for chance? */
	readonly varies: boolean;
	evaluate(attributes: Attributes | undefined): Value | EvaluationFailure;
}

/** @param isMetered as expensive expressions are lowered; undefined: as this one would be */
export function compileExpression(
	source: string,
	phase: Phase,
	accepts: Accepts = () => undefined,
	isMetered?: boolean,
): Result<CompiledExpression, readonly Fault[]> {
	const checked = checkExpression(source, phase, accepts);
	if (!checked.ok) return checked;
	const { scope, type, cost } = checked.value;
	const run = runOf(checked.value, isMetered ?? cost > LIMITS.heavyAboveNanoseconds);
	return ok({
		type,
		varies: scope.varies,
		evaluate(attributes) {
			const value = evaluateWithin(run, attributes, ENOUGH);
			return value === OUT_OF_BUDGET ? TOO_LONG : (value as Value | EvaluationFailure);
		},
	});
}

const runOf = ({ scope, expr }: CheckedExpression, isMetered: boolean) =>
	openCode(assemble(scope, expr, "value", isMetered).code);

/** What an evaluation charges, in nanoseconds; undefined for a source that is refused. */
export function chargedBy(
	source: string,
	phase: Phase,
	attributes: Attributes,
): number | undefined {
	const checked = checkExpression(source, phase, () => undefined);
	if (!checked.ok) return undefined;
	const run = runOf(checked.value, true);
	const budget = 1e15;
	let left = budget;
	evaluateWithin(
		(given) => {
			try {
				return run(given);
			} finally {
				left = BUDGET.left;
			}
		},
		attributes,
		budget,
	);
	return budget - left;
}

export function compilePredicate(
	source: string,
	phase: Phase,
): Result<Predicate, readonly ExpressionProblem[]> {
	const program = predicateProgram(source, phase);
	return program.ok ? ok(openPredicate(program.value)) : program;
}

export function compileTemplate(
	source: string,
	phase: Phase,
): Result<Template, readonly ExpressionProblem[]> {
	const program = templateProgram(source, phase);
	return program.ok ? ok(openTemplate(program.value)) : program;
}
