/**
 * Guards of expressions that may be suspended. A guard promises that where it does not hold the predicate is
 * false at once; an expensive operand asked first would break that. So `lower/logic.ts` asks plain operands
 * of `&&` first, those that only compare method, host or path with literals, and only what they say is a
 * guard here. Called by `compile.ts`.
 */

import { chainOf, operandsOf } from "../lower/nodes.ts";
import type { Expr } from "../tree/syntax.ts";
import { bothOf, eitherOf, type Guards, NO_GUARDS } from "./algebra.ts";
import { GUARDED_ATTRIBUTES, guardsOf } from "./guard.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["@in", "_!=_", "_==_", "startsWith"]);

/** Does it only compare method, host or path with literals? Then it is cheap and can't fail. */
export function isPlain({ exprKind }: Expr): boolean {
	if (exprKind.case !== "callExpr") return false;
	const call = exprKind.value;
	if (call.function === "_&&_" || call.function === "_||_") return call.args.every(isPlain);
	return COMPARISONS.has(call.function) && operandsOf(call).every(isAttributeOrLiteral);
}

function isAttributeOrLiteral({ exprKind }: Expr): boolean {
	if (exprKind.case === "identExpr") return GUARDED_ATTRIBUTES.has(exprKind.value.name);
	if (exprKind.case === "listExpr") return exprKind.value.elements.every(isLiteral);
	return exprKind.case === "constExpr";
}

const isLiteral = ({ exprKind }: Expr): boolean => exprKind.case === "constExpr";

export function plainGuardsOf(expr: Expr): Guards {
	if (isPlain(expr)) return guardsOf(expr);
	const { exprKind } = expr;
	if (exprKind.case !== "callExpr") return NO_GUARDS;
	const { function: name, args } = exprKind.value;
	if (name === "_||_") return args.map(plainGuardsOf).reduce(eitherOf);
	return name === "_&&_"
		? chainOf(expr, "_&&_").filter(isPlain).map(guardsOf).reduce(bothOf, NO_GUARDS)
		: NO_GUARDS;
}
