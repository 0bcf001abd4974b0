/**
 * Evaluates a `Suspension` in full, in a thread of `threads/`. Keeps the expressions that it has compiled, by
 * their text, so none of them can be out of date.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Attributes } from "./attributes.ts";
import { type AttributesCopy, attributesFrom, copyAttributes } from "./attributes-copy.ts";
import type { GoesOn } from "./budget.ts";
import { checkExpression, expressionProgram } from "./compile.ts";
import { evaluateWithin, OUT_OF_BUDGET } from "./evaluation.ts";
import {
	EvaluationFailure,
	type Matches,
	Overrun,
	type Phase,
	type Settlement,
	type Suspension,
} from "./expression.ts";
import type { ExpressionProgram } from "./expression-program.ts";
import { compilePattern } from "./pattern/pattern.ts";
import { OpenExpression } from "./program.ts";
import { portable } from "./values/portable.ts";
import type { Value } from "./values/value.ts";

/** Plain data. */
export interface SettleRequest {
	/** an expression, or a pattern */
	readonly source: string;
	readonly phase: Phase;
	readonly wants: Suspension["wants"];
	readonly attributes: AttributesCopy;
	/** the expression compiled, where it is not known to be here already */
	readonly program?: ExpressionProgram | undefined;
}

type Open = OpenExpression<Value>;

/** Least recently used first. */
const compiled = new Map<string, Open>();

/** @param begins called when all is ready for the evaluation; its answer is asked now and then whether that goes on */
export function settle(
	{ wants, ...request }: SettleRequest,
	begins: () => GoesOn = () => () => true,
): Settlement {
	const attributes = attributesFrom(request.attributes);
	if (wants === "matches") return matches(request.source, attributes, begins);
	const expression = openExpression({ ...request, wants });
	if (expression instanceof EvaluationFailure) return expression;
	const value = expression.evaluateFully(attributes, begins());
	if (value instanceof EvaluationFailure) return value;
	// the code of the other kinds yields nothing else
	if (wants !== "value" && (typeof value === "boolean" || typeof value === "string")) return value;
	return { value: portable(value) };
}

/** In the thread that asks, over what it has: for who is no event loop. @param goesOn asked now and then */
export function settleHere(
	{ source, phase, wants, reads, program }: Suspension,
	attributes: Attributes,
	goesOn: GoesOn,
): Settlement {
	const copy = copyAttributes(attributes, reads);
	return settle({ source, phase, wants, attributes: copy, program }, () => goesOn);
}

/** As many as a url-rewrite may replace, and one that tells it that there are more. */
function matches(source: string, attributes: Attributes, begins: () => GoesOn): Settlement {
	const pattern = compilePattern(source);
	if (!pattern.ok) return new EvaluationFailure("the pattern is not valid");
	const most = Math.floor(LIMITS.rewriteScanCharacters / attributes.url.full.length) + 1;
	const goesOn = begins();
	const find = ({ url }: Attributes) => pattern.value.findAll(url.full, most, goesOn);
	const found = evaluateWithin(find, attributes, LIMITS.heavyPollNanoseconds, goesOn);
	if (found === OUT_OF_BUDGET || found === undefined) return TOO_LONG_A_SEARCH;
	return found as Matches | EvaluationFailure;
}

const TOO_LONG_A_SEARCH = new Overrun("the pattern takes too long for a URL of this length");

type ExpressionRequest = SettleRequest & { readonly wants: ExpressionProgram["wants"] };

function openExpression(request: ExpressionRequest): Open | EvaluationFailure {
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
	// in a thread every expression counts its work, also one that is cheap in the event loop
	const open = new OpenExpression<Value>({ ...program, isHeavy: true });
	compiled.set(key, open);
	const [oldest] = compiled.keys();
	if (compiled.size > LIMITS.heavyExpressionsKept && oldest !== undefined) compiled.delete(oldest);
	return open;
}

function compile({ source, phase, wants }: ExpressionRequest): ExpressionProgram | undefined {
	const checked = checkExpression(source, phase, () => undefined);
	return checked.ok ? expressionProgram(source, phase, wants, checked.value) : undefined;
}
