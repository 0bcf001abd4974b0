/**
 * The other end of a `Suspension`: evaluates it in full, in the thread that `heavy/` has for that. Keeps
 * what it compiled; an expression's text is its version, so nothing here can be out of date.
 */
import { LIMITS } from "../limits.ts";
import { type AttributesCopy, attributesFrom } from "./attributes-copy.ts";
import { checkExpression, expressionProgram } from "./compile.ts";
import { EvaluationFailure, type Phase } from "./expression.ts";
import { type ExpressionProgram, OpenExpression } from "./program.ts";

/** Plain data. */
export interface SettleRequest {
	readonly source: string;
	readonly phase: Phase;
	readonly wants: "bool" | "text";
	readonly attributes: AttributesCopy;
	/** the expression compiled, where it is not known to be here already */
	readonly program?: ExpressionProgram | undefined;
}

type Open = OpenExpression<boolean | string>;

/** Least recently used first. */
const compiled = new Map<string, Open>();

export function settle(request: SettleRequest): boolean | string | EvaluationFailure {
	const expression = openExpression(request);
	return expression instanceof EvaluationFailure
		? expression
		: expression.evaluateFully(attributesFrom(request.attributes));
}

function openExpression(request: SettleRequest): Open | EvaluationFailure {
	const { source, phase, wants } = request;
	const key = `${phase} ${wants} ${source}`;
	const known = compiled.get(key);
	if (known !== undefined) {
		compiled.delete(key);
		compiled.set(key, known);
		return known;
	}
	const program = request.program ?? compile(request);
	if (program === undefined) return new EvaluationFailure("the expression is not valid");
	// whatever it was where it came from, here it counts what it does
	const open = new OpenExpression<boolean | string>({ ...program, isHeavy: true });
	compiled.set(key, open);
	const [oldest] = compiled.keys();
	if (compiled.size > LIMITS.heavyExpressionsKept && oldest !== undefined) compiled.delete(oldest);
	return open;
}

function compile({ source, phase, wants }: SettleRequest): ExpressionProgram | undefined {
	const checked = checkExpression(source, phase, () => undefined);
	return checked.ok ? expressionProgram(source, phase, wants, checked.value) : undefined;
}
