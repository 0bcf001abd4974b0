/**
 * Inspects one expression by itself. `NODE_LINTS` is the table of lints that look at one node at a time: another one is
 * a function in a file of its own, a row here and its code in `warnings.ts`. Called by `inspecting-compiler.ts` with
 * each expression that compiles.
 */
import type { Node } from "../../cel/tree/node.ts";
import { childrenOf } from "../../cel/tree/parts.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type IndexUse, uncertainIndexes } from "./absent-index.ts";
import { clientHeaderIn } from "./client-header.ts";
import { impossibleConstants } from "./constants.ts";
import { emptyVariable, type Surroundings } from "./empty-variables.ts";
import type { ExpressionFinding } from "./finding.ts";
import { wholeLine } from "./header-lines.ts";
import { type Presence, presenceOf } from "./presence.ts";

interface NodeLint {
	readonly of: (node: Node, around: Surroundings | undefined) => readonly ExpressionFinding[];
	/** whether the first finding in an expression says enough */
	readonly isSaidOnce: boolean;
}

const NODE_LINTS: readonly NodeLint[] = [
	{ of: impossibleConstants, isSaidOnce: false },
	{ of: emptyVariable, isSaidOnce: false },
	{ of: wholeLine, isSaidOnce: true },
];

export interface Inspection {
	/** what of a client's fields its value carries, where that was asked for */
	readonly clientHeader: string | undefined;
	readonly findings: readonly ExpressionFinding[];
	/** indexes that fail unless an earlier expression or rule makes sure that the list is not empty */
	readonly indexes: readonly IndexUse[];
	readonly presence: Presence;
}

/**
 * To be called while the expression is compiled: its tree becomes that of the next one like it.
 * @param isValue its value is kept as it is
 */
export function inspect(expr: Node, around: Surroundings | undefined, isValue = false): Inspection {
	const findings = new Map<string, ExpressionFinding>();
	const visit = (node: Node): void => {
		if (findings.size >= LIMITS.problemsPerExpression) return;
		for (const lint of NODE_LINTS) {
			for (const finding of lint.of(node, around)) {
				// the same text may stand in an expression several times
				const key = lint.isSaidOnce ? finding.code : finding.message;
				if (!findings.has(key)) findings.set(key, finding);
			}
		}
		for (const child of childrenOf(node)) visit(child);
	};
	visit(expr);
	return {
		clientHeader: isValue ? clientHeaderIn(expr) : undefined,
		findings: [...findings.values()],
		indexes: uncertainIndexes(expr),
		presence: presenceOf(expr, new Map()),
	};
}
