/**
 * The other end of a `Suspension`: evaluates it in full, in the thread that `heavy/` has for that. Keeps
 * what it compiled; an expression's text is its version, so nothing here can be out of date.
 */
import { LIMITS } from "../limits.ts";
import { type AttributesCopy, attributesFrom } from "./attributes-copy.ts";
import { checkExpression, expressionProgram } from "./compile.ts";
import { EvaluationFailure, type Phase } from "./expression.ts";
import { OpenExpression } from "./program.ts";

/** Plain data. */
export interface SettleRequest {
	readonly source: string;
	readonly phase: Phase;
	readonly wants: "bool" | "text";
	readonly attributes: AttributesCopy;
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

function openExpression({ source, phase, wants }: SettleRequest): Open | EvaluationFailure {
	const key = `${phase} ${wants} ${source}`;
	const known = compiled.get(key);
	if (known !== undefined) {
		compiled.delete(key);
		compiled.set(key, known);
		return known;
	}
	const checked = checkExpression(source, phase, () => undefined);
	if (!checked.ok) return new EvaluationFailure("the expression is not valid");
	const program = expressionProgram(source, phase, wants, checked.value);
	// whatever it was where it came from, here it counts what it does
	const open = new OpenExpression<boolean | string>({ ...program, isHeavy: true });
	compiled.set(key, open);
	const [oldest] = compiled.keys();
	if (compiled.size > LIMITS.heavyExpressionsKept && oldest !== undefined) compiled.delete(oldest);
	return open;
}
