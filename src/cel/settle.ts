/**
 * The other end of a `Suspension`: evaluates it in full, in the thread that `heavy/` has for that. Keeps
 * what it compiled; an expression's text is its version, so nothing here can be out of date.
 */
import { LIMITS } from "../limits.ts";
import { type AttributesCopy, attributesFrom } from "./attributes-copy.ts";
import { checkExpression, expressionProgram } from "./compile.ts";
import { EvaluationFailure, type Phase, type Settlement, type Suspension } from "./expression.ts";
import { compilePattern } from "./pattern.ts";
import { type ExpressionProgram, OpenExpression } from "./program.ts";

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

type Open = OpenExpression<boolean | string>;

/** Least recently used first. */
const compiled = new Map<string, Open>();

/** @param goesOn asked now and then, where an evaluation can't count what it does: the matches of a pattern */
export function settle(
	{ wants, ...request }: SettleRequest,
	goesOn: () => boolean = () => true,
): Settlement {
	const attributes = attributesFrom(request.attributes);
	if (wants === "matches") return matches(request.source, attributes.url.full, goesOn);
	const expression = openExpression({ ...request, wants });
	return expression instanceof EvaluationFailure
		? expression
		: expression.evaluateFully(attributes);
}

/** As many as a url-rewrite may replace, and one that tells it that there are more. */
function matches(source: string, url: string, goesOn: () => boolean): Settlement {
	const pattern = compilePattern(source);
	if (!pattern.ok) return new EvaluationFailure("the pattern is not valid");
	const most = Math.floor(LIMITS.rewriteScanCharacters / url.length) + 1;
	const found = pattern.value.findAll(url, most, goesOn);
	return found ?? new EvaluationFailure("the pattern takes too long for a URL of this length");
}

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
	// whatever it was where it came from, here it counts what it does
	const open = new OpenExpression<boolean | string>({ ...program, isHeavy: true });
	compiled.set(key, open);
	const [oldest] = compiled.keys();
	if (compiled.size > LIMITS.heavyExpressionsKept && oldest !== undefined) compiled.delete(oldest);
	return open;
}

function compile({ source, phase, wants }: ExpressionRequest): ExpressionProgram | undefined {
	const checked = checkExpression(source, phase, () => undefined);
	return checked.ok ? expressionProgram(source, phase, wants, checked.value) : undefined;
}
