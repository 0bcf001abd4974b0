/**
 * How often an expression reads each attribute: what is read in several places, or in a loop, is read once
 * and kept. Called by `assemble.ts` before lowering.
 */
import type { Expr } from "../syntax.ts";
import { childrenOf, headerReadOf, variableOf } from "./nodes.ts";

export const headerKey = (lines: string, name: string): string => `${lines}:${name}`;

/** By variable, and by `headerKey` for single headers. */
export function usesOf(expr: Expr): ReadonlyMap<string, number> {
	const uses = new Map<string, number>();
	const count = (key: string, times: number): void => {
		uses.set(key, (uses.get(key) ?? 0) + times);
	};
	const walk = (node: Expr, times: number): void => {
		const header = headerReadOf(node);
		if (header !== undefined) {
			count(headerKey(header.lines, header.name), times);
			return;
		}
		const variable = variableOf(node);
		if (variable !== undefined) count(variable, times);
		const { exprKind } = node;
		// the range of a loop is read once, its body at every turn
		const range = exprKind.case === "comprehensionExpr" ? exprKind.value.iterRange : undefined;
		const below = exprKind.case === "comprehensionExpr" ? 2 : times;
		for (const child of childrenOf(node)) walk(child, child === range ? times : below);
	};
	walk(expr, 1);
	return uses;
}
