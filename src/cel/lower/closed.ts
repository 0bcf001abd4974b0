/**
 * The parts of an expression that are the same for every request: they read no variable and ask for no
 * chance, so `assemble.ts` evaluates them when the expression is compiled.
 */
import type { Expr } from "../syntax.ts";
import { callOf, childrenOf, variableOf } from "./nodes.ts";

const CHANCE: ReadonlySet<string> = new Set(["rand.double", "rand.int"]);

/** The largest closed parts that are more than a literal. */
export function closedParts(expr: Expr): ReadonlySet<Expr> {
	const closed = new Set<Expr>();
	const free = namesIn(expr, closed);
	if (free?.size === 0) closed.add(expr);
	return closed;
}

const isLiteral = ({ exprKind }: Expr): boolean =>
	exprKind.case === "constExpr" || exprKind.case === "identExpr";

/** Loop variables that come from outside; undefined if more than those is read. Notes closed children. */
function namesIn(node: Expr, closed: Set<Expr>): ReadonlySet<string> | undefined {
	const { exprKind } = node;
	if (variableOf(node) !== undefined) return undefined;
	if (exprKind.case === "identExpr") return new Set([exprKind.value.name]);
	const children = childrenOf(node);
	const below = children.map((child) => namesIn(child, closed));
	const isOpen =
		below.some((names) => names === undefined) || CHANCE.has(callOf(node)?.function ?? "");
	const names = new Set(below.flatMap((each) => [...(each ?? [])]));
	if (exprKind.case === "comprehensionExpr") {
		const { iterVar, iterVar2, accuVar } = exprKind.value;
		for (const name of [iterVar, iterVar2, accuVar]) names.delete(name);
	}
	if (!isOpen && names.size === 0) return names;
	for (const [at, child] of children.entries()) {
		if (below[at]?.size === 0 && !isLiteral(child)) closed.add(child);
	}
	return isOpen ? undefined : names;
}
