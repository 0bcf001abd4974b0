/**
 * From source to something that runs: parse, check, plan, once. `compilePredicate` and `compileTemplate`
 * are what policy/ calls; nothing of the library is seen beyond this room.
 */
import { type CelResult, type CelValue, isCelError, plan } from "@bufbuild/cel";
import { fail, ok, type Result } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { activationFor } from "./activation.ts";
import type { Attributes } from "./attributes.ts";
import { check } from "./check.ts";
import { ENVIRONMENT } from "./environment.ts";
import {
	type CompilePredicate,
	type CompileTemplate,
	EvaluationFailure,
	type ExpressionProblem,
	type Phase,
	type Predicate,
} from "./expression.ts";
import { parse } from "./parse.ts";
import { type Fault, problemAt } from "./problem.ts";
import { Scope } from "./scope.ts";
import { ranOutOfSteps, startSteps } from "./steps.ts";
import type { Expr } from "./syntax.ts";
import { compileTemplateWith } from "./template.ts";
import { certainTruth } from "./truth.ts";
import { resolve, substitute, type Type, typeName } from "./types.ts";

/** A checked and planned expression. */
export interface Compiled {
	readonly type: Type;
	/** false if it reads no variable and asks for no chance */
	readonly varies: boolean;
	/** of one that varies: the bool that it yields all the same */
	readonly truth: boolean | undefined;
	/** Hot. Never throws. */
	evaluate(attributes: Attributes | undefined): CelValue | EvaluationFailure;
}

export type Accepts = (type: Type) => string | undefined;

/** @param accepts the sentence for a type that the expression must not have */
export function compileExpression(
	source: string,
	phase: Phase,
	accepts: Accepts,
): Result<Compiled, readonly Fault[]> {
	const parsed = parse(source);
	if (!parsed.ok) return fail([parsed.fault]);
	const scope = new Scope(parsed.tree, phase);
	const { type, expr } = check(scope, parsed.expr);
	const known = substitute(type);
	if (scope.faults.length === 0) {
		const message = accepts(known);
		if (message !== undefined) {
			scope.faults.push({ offset: source.search(/\S/), code: "expression_type", message });
		}
	}
	if (scope.faults.length > 0) {
		return fail(scope.faults.toSorted((left, right) => left.offset - right.offset));
	}
	return ok(planned(expr, known, scope));
}

function planned(expr: Expr, type: Type, scope: Scope): Compiled {
	const run = plan(ENVIRONMENT, expr);
	const activation = activationFor(scope.constants);
	const { varies } = scope;
	return {
		type,
		varies,
		truth: varies ? certainTruth(expr, evaluateClosed) : undefined,
		evaluate(attributes) {
			activation.attributes = attributes;
			startSteps(attributes === undefined ? LIMITS.constantSteps : LIMITS.evaluationSteps);
			let result: CelResult;
			try {
				result = run(activation.bindings);
			} catch (error) {
				return new EvaluationFailure(messageOf(error));
			} finally {
				activation.attributes = undefined;
				activation.kept = undefined;
			}
			if (isCelError(result)) return new EvaluationFailure(readable(result.message));
			return ranOutOfSteps()
				? new EvaluationFailure("the evaluation takes too many steps")
				: result;
		},
	};
}

function evaluateClosed(closed: Expr): CelResult {
	startSteps(LIMITS.constantSteps);
	return plan(ENVIRONMENT, closed)({});
}

/** The library knows no length where it says `index 3 out of bounds [0, -1)`. */
const readable = (message: string): string =>
	message.replace(/^index (\S+) out of bounds \[0, -1\)$/, "the list has no element $1");

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

const mustBeBool: Accepts = (type) =>
	["bool", "dyn", "error"].includes(resolve(type).kind)
		? undefined
		: `the expression yields ${typeName(type)}, where a rule needs a bool`;

export const compilePredicate: CompilePredicate = (source, phase) => {
	const compiled = compileExpression(source, phase, mustBeBool);
	if (!compiled.ok) return fail(problems(source, compiled.error));
	return ok(predicateOf(source, compiled.value));
};

function predicateOf(source: string, { evaluate, varies, truth }: Compiled): Predicate {
	const constant = varies ? truth : evaluate(undefined);
	return {
		source,
		constant: typeof constant === "boolean" ? constant : undefined,
		evaluate(attributes) {
			const value = evaluate(attributes);
			if (typeof value === "boolean" || value instanceof EvaluationFailure) return value;
			return new EvaluationFailure("the expression yields no bool");
		},
	};
}

const problems = (source: string, faults: readonly Fault[]): readonly ExpressionProblem[] =>
	faults.map((fault) => problemAt(source, fault));

export const compileTemplate: CompileTemplate = (source, phase) =>
	compileTemplateWith(source, (expression) =>
		compileExpression(expression, phase, () => undefined),
	);
