/**
 * Guards of expressions that may be suspended. A guard promises that the predicate is false, not suspended,
 * wherever the guard does not hold; an expensive operand that is asked first would break the promise. So
 * `lower/logic.ts` asks the plain operands of `&&` first, which only compare method, host or path with literals,
 * and only these operands make guards here. Called by `compile.ts`.
 */

import type { Node } from "../tree/node.ts";
import { chainOf, operationOf } from "../tree/parts.ts";
import { bothOf, eitherOf, type Guards, NO_GUARDS } from "./algebra.ts";
import { GUARDED_ATTRIBUTES, guardsOf } from "./guard.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["@in", "_!=_", "_==_", "startsWith"]);

/** Does it only compare method, host or path with literals? Then it is cheap and can't fail. */
export function isPlain(node: Node): boolean {
	const operation = operationOf(node);
	if (operation === undefined) return false;
	const { name, operands } = operation;
	if (name === "_&&_" || name === "_||_") return operands.every(isPlain);
	return COMPARISONS.has(name) && operands.every(isAttributeOrLiteral);
}

function isAttributeOrLiteral(node: Node): boolean {
	if (node.kind === "variable") return GUARDED_ATTRIBUTES.has(node.name);
	if (node.kind === "list") return node.elements.every(isLiteral);
	return isLiteral(node);
}

const isLiteral = ({ kind }: Node): boolean => kind === "constant";

export function plainGuardsOf(node: Node): Guards {
	if (isPlain(node)) return guardsOf(node);
	if (node.kind !== "binary") return NO_GUARDS;
	if (node.operator === "_||_") {
		return eitherOf(plainGuardsOf(node.left), plainGuardsOf(node.right));
	}
	return node.operator === "_&&_"
		? chainOf(node, "_&&_").filter(isPlain).map(guardsOf).reduce(bothOf, NO_GUARDS)
		: NO_GUARDS;
}
