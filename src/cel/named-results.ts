/**
 * Which results of actions and which variables an expression names, so that nothing else is kept (contract 4). Asked by
 * `compile.ts` about each expression.
 */
import type { Node } from "./tree/node.ts";
import { childrenOf, textLiteral, variableOf } from "./tree/parts.ts";
import { ALIAS } from "./values/results.ts";

/** `actions.rate_limit`, `vars.tier`, …; `actions` or `vars` where the expression takes them as a whole. */
export function resultsNamed(expr: Node): readonly string[] {
	const named = new Set<string>();
	walk(expr, named);
	return [...named];
}

function walk(node: Node, named: Set<string>): void {
	const name = nameOf(node);
	if (name !== undefined) named.add(name);
	else for (const child of childrenOf(node)) walk(child, named);
}

/** Of a whole variable, or of a selection of one of its entries; undefined for every other node. */
function nameOf(node: Node): string | undefined {
	if (isRoot(node)) return variableOf(node);
	const entry = entryOf(node);
	if (entry === undefined) return undefined;
	const inner = entryOf(entry.operand);
	if (isRoot(entry.operand)) {
		const root = variableOf(entry.operand);
		return root === "actions" && entry.key === ALIAS ? root : `${root}.${entry.key}`;
	}
	if (inner?.key !== ALIAS || variableOf(inner.operand) !== "actions") return undefined;
	return `actions.${entry.key}`;
}

const isRoot = (node: Node): boolean => {
	const variable = variableOf(node);
	return variable === "actions" || variable === "vars";
};

function entryOf(node: Node): { readonly operand: Node; readonly key: string } | undefined {
	switch (node.kind) {
		case "select":
		case "has":
		case "optionalSelect":
			return { operand: node.operand, key: node.field };
		case "binary": {
			if (node.operator !== "_[_]" && node.operator !== "_[?_]") return undefined;
			const key = textLiteral(node.right);
			return key === undefined ? undefined : { operand: node.left, key };
		}
		default:
			return undefined;
	}
}
