/**
 * From the text of an expression to plain data that any thread can run: parse, check, estimate, lower, once.
 * `policy/` calls `predicateProgram` for the conditions of rules, `template.ts` and `settle.ts` call the two
 * steps that it is made of. `program.ts` runs the result.
 */
import { fail, ok, type Result } from "../errors.ts";
import { LIMITS } from "../limits/limits.ts";
import { Moulds, type Steps } from "./alike/moulds.ts";
import { check } from "./check/check.ts";
import { type Declared, declaredTypes } from "./check/declared.ts";
import { Scope } from "./check/scope.ts";
import { resolve, type Type, typeName } from "./check/types.ts";
import type { CheckedExpression, Inspect } from "./checked-expression.ts";
import { costFault, estimateCost } from "./cost/cost.ts";
import type { ExpressionProblem, Phase } from "./expression.ts";
import type { ExpressionProgram } from "./expression-program.ts";
import { NO_GUARDS } from "./guard/algebra.ts";
import { guardsOf } from "./guard/guard.ts";
import { plainGuardsOf } from "./guard/plain.ts";
import type { Test } from "./guard/test-tree.ts";
import { hasUnknown, testOf } from "./guard/tests.ts";
import { certainTruth } from "./guard/truth.ts";
import { assemble, closedValue } from "./lower/assemble.ts";
import type { Code } from "./lower/code.ts";
import { resultsNamed } from "./named-results.ts";
import { parse } from "./parse/parse.ts";
import { type Fault, problemAt } from "./problem.ts";
import type { PredicateProgram } from "./program.ts";
import type { Node } from "./tree/node.ts";

export type { CheckedExpression, Inspect } from "./checked-expression.ts";

export type Accepts = (type: Type) => string | undefined;

/** @param accepts the sentence for a type that the expression must not have */
export function checkExpression(
	source: string,
	phase: Phase,
	accepts: Accepts,
): Result<CheckedExpression, readonly Fault[]> {
	const parsed = parse(source);
	if (!parsed.ok) return fail([parsed.fault]);
	const scope = new Scope(parsed.tree, phase);
	const { expr } = check(scope, parsed.expr);
	const type = scope.typeOf(expr);
	if (scope.faults.length === 0) {
		const message = accepts(type);
		if (message !== undefined) {
			scope.faults.push({ offset: source.search(/\S/), code: "expression_type", message });
		}
	}
	if (scope.faults.length > 0) {
		return fail(scope.faults.toSorted((left, right) => left.offset - right.offset));
	}
	const tooCostly = costFault(scope, expr);
	if (tooCostly !== undefined) return fail([tooCostly]);
	return ok({ scope, expr, type, cost: estimateCost(scope, expr) });
}

export function expressionProgram(
	source: string,
	phase: Phase,
	wants: ExpressionProgram["wants"],
	{ scope, expr, type, cost }: CheckedExpression,
): ExpressionProgram {
	const isHeavy = cost > LIMITS.heavyAboveNanoseconds;
	const isMetered = cost > LIMITS.countedAboveNanoseconds;
	const { code, fails } = assemble(scope, expr, wants, isMetered);
	// all fields in their order, for V8 gives an object that is spread from another a hidden class of its own
	return {
		source,
		phase,
		wants,
		code,
		canFail: fails || isHeavy,
		isHeavy,
		reads: code.shape.reads,
		type: wants === "value" ? typeName(type) : undefined,
		results: scope.readsResults ? resultsNamed(expr) : undefined,
	};
}

/**
 * Checks an expression that compiles once more, with the types that its place in a document gives to what actions leave.
 * @returns the faults that only this place has
 */
export function placedFaults(
	source: string,
	{ phase, wants }: Pick<ExpressionProgram, "phase" | "wants">,
	declared: Declared,
): readonly Fault[] {
	const parsed = parse(source);
	if (!parsed.ok) return [parsed.fault];
	const scope = new Scope(parsed.tree, phase, declaredTypes(declared));
	const { type } = check(scope, parsed.expr);
	const message = wants === "bool" && scope.faults.length === 0 ? mustBeBool(type) : undefined;
	if (message === undefined) return scope.faults;
	return [{ offset: source.search(/\S/), code: "expression_type", message }];
}

const mustBeBool: Accepts = (type) =>
	["bool", "dyn", "error"].includes(resolve(type).kind)
		? undefined
		: `the expression yields ${typeName(type)}, where a rule needs a bool`;

export const problemsOf = (
	source: string,
	faults: readonly Fault[],
): readonly ExpressionProblem[] => faults.map((fault) => problemAt(source, fault));

/** Of conditions; those of texts have others. */
const PREDICATES = new Moulds<PredicateProgram>();
const EXPRESSIONS = new Moulds<ExpressionProgram>();

/** @param moulds of those that were compiled before */
export function predicateProgram(
	source: string,
	phase: Phase,
	inspect?: Inspect,
	moulds = PREDICATES,
): Result<PredicateProgram, readonly ExpressionProblem[]> {
	const made = moulds.compiled(source, phase, PREDICATE_STEPS[phase], inspect);
	return made.ok ? made : fail(problemsOf(source, made.error));
}

const predicateSteps = (phase: Phase): Steps<PredicateProgram> => ({
	check: (source) => checkExpression(source, phase, mustBeBool),
	lower(source, checked) {
		const { scope, expr } = checked;
		const evaluate = (closed: Node) => closedValue(scope, closed);
		const constant = scope.varies ? certainTruth(expr, evaluate) : evaluate(expr);
		const program = expressionProgram(source, phase, "bool", checked);
		return predicateOf(program, source, program.code, { constant, expr });
	},
	recast: (like, source, code, { expr }) =>
		predicateOf(like, source, code, { constant: like.constant, expr }),
});
const PREDICATE_STEPS: Readonly<Record<Phase, Steps<PredicateProgram>>> = {
	inbound: predicateSteps("inbound"),
	outbound: predicateSteps("outbound"),
};

function predicateOf(
	{ phase, canFail, isHeavy, reads, results }: ExpressionProgram,
	source: string,
	code: Code,
	{ constant, expr }: { readonly constant: unknown; readonly expr: Node },
): PredicateProgram {
	const guards = isHeavy ? plainGuardsOf(expr) : guardsOf(expr);
	// written out as in `expressionProgram`
	return {
		source,
		phase,
		wants: "bool",
		code,
		canFail,
		isHeavy,
		reads,
		type: undefined,
		results,
		constant: typeof constant === "boolean" ? constant : undefined,
		guards: guards.length > 0 ? guards : NO_GUARDS,
	};
}

/** Of an expression in a text, with the faults that it has by itself. @param moulds as in `predicateProgram` */
export function partProgram(
	source: string,
	phase: Phase,
	wants: "text" | "value",
	inspect?: Inspect,
	moulds = EXPRESSIONS,
): Result<ExpressionProgram, readonly Fault[]> {
	return moulds.compiled(source, `${phase} ${wants}`, partSteps(phase, wants), inspect);
}

const partSteps = (phase: Phase, wants: "text" | "value"): Steps<ExpressionProgram> => ({
	check: (source) => checkExpression(source, phase, () => undefined),
	lower: (source, checked) => expressionProgram(source, phase, wants, checked),
	recast: ({ canFail, isHeavy, reads, type, results }, source, code) =>
		// written out as in `expressionProgram`
		({ source, phase, wants, code, canFail, isHeavy, reads, type, results }),
});

/** What a condition of a rule that compiles asks of a request; undefined: nothing that comparing texts would tell. */
export function predicateTest(source: string, phase: Phase): Test | undefined {
	const checked = checkExpression(source, phase, mustBeBool);
	if (!checked.ok) return undefined;
	const test = testOf(checked.value.expr);
	// What is evaluated in another thread may exceed its time, which is a failure whatever it would have come to.
	const mayExceed = checked.value.cost > LIMITS.heavyAboveNanoseconds && hasUnknown(test);
	return mayExceed || test.kind === "unknown" ? undefined : test;
}
