/**
 * Lists that are empty where a request brings nothing of the name: `req.headers['x']`, `req.headers.x`,
 * `getReqHeader('X')`, and so with cookies and parameters of the query. For the lints of this folder.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { callOf, textLiteral, variableOf } from "../../cel/lower/nodes.ts";
import { type Node, nodeOf } from "../../cel/tree/syntax.ts";

export interface LookUp {
	/** equal keys mean the same list of one exchange */
	readonly key: string;
	/** `req.headers`; of a variable that is a list itself, its name */
	readonly variable: string;
	/** undefined for a variable that is a list itself */
	readonly name: string | undefined;
}

/** Variables that hold a list for each name; names of headers ignore case. */
const MAPS: ReadonlySet<string> = new Set([
	"req.headers",
	"res.headers",
	"req.cookies",
	"res.cookies",
	"req.url.query_params",
]);
const LISTS: ReadonlySet<string> = new Set(["req.content_encoding", "res.content_encoding"]);

/** Of a node that yields such a list. */
export function lookUpOf(node: Node): LookUp | undefined {
	const { exprKind } = node;
	const variable = variableOf(node);
	if (variable !== undefined && LISTS.has(variable)) {
		return { key: variable, variable, name: undefined };
	}
	if (exprKind.case === "selectExpr" && !exprKind.value.testOnly) {
		return inMap(exprKind.value.operand, exprKind.value.field);
	}
	const call = callOf(node);
	if (call?.function !== "_[_]") return undefined;
	const [map, key] = call.args;
	return map && key && inMap(nodeOf(map), textLiteral(key));
}

/** Of `'x' in req.headers` and `has(req.headers.x)`. */
export function askedFor(node: Node): LookUp | undefined {
	const { exprKind } = node;
	if (exprKind.case === "selectExpr" && exprKind.value.testOnly) {
		return inMap(exprKind.value.operand, exprKind.value.field);
	}
	const call = callOf(node);
	if (call?.function !== "@in") return undefined;
	const [key, map] = call.args;
	return key && map && inMap(nodeOf(map), textLiteral(key));
}

function inMap(map: Node, name: string | undefined): LookUp | undefined {
	const variable = variableOf(map);
	if (variable === undefined || name === undefined || !MAPS.has(variable)) return undefined;
	return { key: keyOf(variable, name), variable, name };
}

/** Of the list that a variable holds for a name. */
export const keyOf = (variable: string, name: string): string =>
	`${variable} ${variable.endsWith(".headers") ? asciiLowerCase(name) : name}`;
