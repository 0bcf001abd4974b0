/**
 * Everything that lint can tell of one expression by itself. `NODE_LINTS` is the table of those that look at one
 * node at a time: another lint is a function in a file of its own and a row here. Called by
 * `inspecting-compiler.ts` with each expression that is found right.
 */
import type { Node } from "../../cel/tree/node.ts";
import { childrenOf } from "../../cel/tree/parts.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type IndexUse, uncertainIndexes } from "./absent-index.ts";
import { impossibleConstants } from "./constants.ts";
import { emptyVariable, type Surroundings } from "./empty-variables.ts";
import type { ExpressionFinding } from "./finding.ts";
import { wholeLine } from "./header-lines.ts";
import { type Presence, presenceOf } from "./presence.ts";

interface NodeLint {
	readonly of: (node: Node, around: Surroundings | undefined) => readonly ExpressionFinding[];
	/** of several in one expression the first says enough */
	readonly isSaidOnce: boolean;
}

const NODE_LINTS: readonly NodeLint[] = [
	{ of: impossibleConstants, isSaidOnce: false },
	{ of: emptyVariable, isSaidOnce: false },
	{ of: wholeLine, isSaidOnce: true },
];

export interface Inspection {
	readonly findings: readonly ExpressionFinding[];
	/** those that fail unless the rule has made sure of them */
	readonly indexes: readonly IndexUse[];
	readonly presence: Presence;
}

export function inspect(expr: Node, around: Surroundings | undefined): Inspection {
	const findings = new Map<string, ExpressionFinding>();
	const visit = (node: Node): void => {
		if (findings.size >= LIMITS.problemsPerExpression) return;
		for (const lint of NODE_LINTS) {
			for (const finding of lint.of(node, around)) {
				// a macro repeats parts of what was written
				const key = lint.isSaidOnce ? finding.code : finding.message;
				if (!findings.has(key)) findings.set(key, finding);
			}
		}
		for (const child of childrenOf(node)) visit(child);
	};
	visit(expr);
	return {
		findings: [...findings.values()],
		indexes: uncertainIndexes(expr),
		presence: presenceOf(expr, new Map()),
	};
}
