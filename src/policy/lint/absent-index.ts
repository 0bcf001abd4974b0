/**
 * Indexes that fail for requests without the header, cookie or parameter (contract 3): `req.headers['x'][0]`, unless
 * the same expression, an earlier expression of the rule, or an earlier rule that ends all other requests makes sure
 * that the list is not empty. Called by `expression.ts` for each expression; `lint.ts` knows of the earlier ones.
 */
import type { BinaryNode, Node } from "../../cel/tree/node.ts";
import { childrenOf, perTurn } from "../../cel/tree/parts.ts";
import { written, writtenText } from "../../cel/tree/written.ts";
import type { VariableName } from "../../cel/variables/table.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { ExpressionFinding } from "./finding.ts";
import { keyOf, type LookUp, lookUpOf } from "./look-up.ts";
import { type Keys, NO_KEYS, type Presence, presenceOf, union } from "./presence.ts";

export interface IndexUse {
	/** the list that must not be empty */
	readonly key: string;
	readonly finding: ExpressionFinding;
}

/** Indexes that the expression itself does not make safe; each list once, up to `LIMITS.problemsPerExpression`. */
export function uncertainIndexes(expr: Node): readonly IndexUse[] {
	const found = new Map<string, IndexUse>();
	walk(expr, NO_KEYS, new Map(), found);
	return [...found.values()];
}

function walk(
	node: Node,
	sure: Keys,
	known: Map<Node, Presence>,
	found: Map<string, IndexUse>,
): void {
	if (found.size >= LIMITS.problemsPerExpression) return;
	const below = (child: Node, more: Keys): void => walk(child, union(sure, more), known, found);
	if ("range" in node) {
		const list = lookUpOf(node.range)?.key;
		below(node.range, NO_KEYS);
		// the body runs only where there is an element
		const more = list === undefined ? NO_KEYS : new Set([list]);
		for (const child of perTurn(node)) below(child, more);
		return;
	}
	if (node.kind === "conditional") {
		const { ifTrue, ifFalse } = presenceOf(node.condition, known);
		below(node.condition, NO_KEYS);
		below(node.whenTrue, ifTrue);
		below(node.whenFalse, ifFalse);
		return;
	}
	if (node.kind === "binary") {
		const { operator, left, right } = node;
		if (operator === "_&&_") {
			below(left, presenceOf(right, known).ifTrue);
			below(right, presenceOf(left, known).ifTrue);
			return;
		}
		if (operator === "_||_") {
			below(left, presenceOf(right, known).ifFalse);
			below(right, presenceOf(left, known).ifFalse);
			return;
		}
		const list = operator === "_[_]" && right.kind === "constant" ? lookUpOf(left) : undefined;
		if (list !== undefined && ![sure, found, ALWAYS].some((keys) => keys.has(list.key))) {
			found.set(list.key, { key: list.key, finding: findingOf(node, list) });
		}
	}
	for (const child of childrenOf(node)) below(child, NO_KEYS);
}

/** Requests without a host are refused before any policy sees them. */
const ALWAYS: Keys = new Set([keyOf("req.headers", "host")]);

const NOUNS: ReadonlyMap<string, string> = new Map<VariableName, string>([
	["req.headers", "the header"],
	["res.headers", "the header"],
	["req.cookies", "the cookie"],
	["res.cookies", "the cookie"],
	["req.url.query_params", "the query parameter"],
]);

function findingOf(node: BinaryNode, { variable, name }: LookUp): ExpressionFinding {
	const code = "index_of_absent";
	const text = written(node) ?? variable;
	if (name === undefined) {
		const message = `${text} fails where there is none; put size(${variable}) > 0 before it`;
		return { code, message };
	}
	const guard = `${writtenText(name)} in ${variable}`;
	const message = `${text} fails without ${NOUNS.get(variable) ?? "it"} ${JSON.stringify(name)}; put ${guard} before it, or ${alternative(node, variable, name)}`;
	return { code, message };
}

function alternative({ left, right }: BinaryNode, variable: string, name: string): string {
	if (variable === "req.cookies") return `write getReqCookie(${writtenText(name)})`;
	if (variable === "res.cookies") return `write getResCookie(${writtenText(name)})`;
	return `write ${written(left)}[?${written(right)}].orValue('')`;
}
