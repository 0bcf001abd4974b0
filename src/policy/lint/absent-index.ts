/**
 * Indexes that fail for requests without the header, cookie or parameter (contract 3): `req.headers['x'][0]`, unless
 * the same expression, an earlier expression of the rule, or an earlier rule that ends all other requests makes sure
 * that the list is not empty. Called by `expression.ts` for each expression; `lint.ts` knows of the earlier ones.
 */
import { callOf, childrenOf } from "../../cel/lower/nodes.ts";
import { type Node, nodeOf } from "../../cel/tree/syntax.ts";
import { written, writtenText } from "../../cel/tree/written.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { ExpressionFinding } from "./finding.ts";
import { type LookUp, lookUpOf } from "./look-up.ts";
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
	const { exprKind } = node;
	if (exprKind.case === "comprehensionExpr") {
		const range = exprKind.value.iterRange;
		const list = lookUpOf(range)?.key;
		// its body is come to with an element only
		const more = list === undefined ? NO_KEYS : new Set([list]);
		for (const child of childrenOf(node)) below(nodeOf(child), child === range ? NO_KEYS : more);
		return;
	}
	const call = callOf(node);
	const [left, right, third] = (call?.args ?? []).map(nodeOf);
	if (call?.function === "_&&_" && left && right) {
		below(left, presenceOf(right, known).ifTrue);
		below(right, presenceOf(left, known).ifTrue);
		return;
	}
	if (call?.function === "_||_" && left && right) {
		below(left, presenceOf(right, known).ifFalse);
		below(right, presenceOf(left, known).ifFalse);
		return;
	}
	if (call?.function === "_?_:_" && left && right && third) {
		below(left, NO_KEYS);
		below(right, presenceOf(left, known).ifTrue);
		below(third, presenceOf(left, known).ifFalse);
		return;
	}
	const list = call?.function === "_[_]" && left && isLiteral(right) ? lookUpOf(left) : undefined;
	if (list !== undefined && !sure.has(list.key) && !found.has(list.key) && !ALWAYS.has(list.key)) {
		found.set(list.key, { key: list.key, finding: findingOf(node, list) });
	}
	for (const child of childrenOf(node)) below(nodeOf(child), NO_KEYS);
}

const isLiteral = (node: Node | undefined): boolean => node?.exprKind.case === "constExpr";

/** Requests without it are refused before any policy. */
const ALWAYS: Keys = new Set(["req.headers host"]);

const NOUNS: Readonly<Record<string, string>> = {
	"req.headers": "the header",
	"res.headers": "the header",
	"req.cookies": "the cookie",
	"res.cookies": "the cookie",
	"req.url.query_params": "the query parameter",
};

function findingOf(node: Node, { variable, name }: LookUp): ExpressionFinding {
	const code = "index_of_absent";
	const text = written(node) ?? variable;
	if (name === undefined) {
		const message = `${text} fails where there is none; put size(${variable}) > 0 before it`;
		return { code, message };
	}
	const guard = `${writtenText(name)} in ${variable}`;
	const message = `${text} fails without ${NOUNS[variable] ?? "it"} ${JSON.stringify(name)}; put ${guard} before it, or ${alternative(node, variable, name)}`;
	return { code, message };
}

function alternative(node: Node, variable: string, name: string): string {
	if (variable === "req.cookies") return `write getReqCookie(${writtenText(name)})`;
	if (variable === "res.cookies") return `write getResCookie(${writtenText(name)})`;
	const [list, at] = (callOf(node)?.args ?? []).map((part) => written(nodeOf(part)));
	return `write ${list}[?${at}].orValue('')`;
}
