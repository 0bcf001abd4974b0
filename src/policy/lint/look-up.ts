/**
 * Recognises look-ups of a list that is empty where a request has nothing of the name: `req.headers['x']`,
 * `req.headers.x`, `getReqHeader('X')`, and the same with cookies and query parameters. Used by `absent-index.ts`,
 * `header-lines.ts` and `presence.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { Node } from "../../cel/tree/node.ts";
import { textLiteral, variableOf } from "../../cel/tree/parts.ts";
import type { VariableName } from "../../cel/variables/table.ts";

export interface LookUp {
	/** equal for look-ups of the same list */
	readonly key: string;
	/** `req.headers`, or the name of a variable that is a list itself */
	readonly variable: string;
	/** undefined for a variable that is a list itself */
	readonly name: string | undefined;
}

/** Variables that hold a list for each name; names of headers ignore case. */
const MAPS: ReadonlySet<string> = new Set<VariableName>([
	"req.headers",
	"res.headers",
	"req.cookies",
	"res.cookies",
	"req.url.query_params",
]);
const LISTS: ReadonlySet<string> = new Set<VariableName>([
	"req.content_encoding",
	"res.content_encoding",
]);

/** The look-up that a node is, if it yields such a list. */
export function lookUpOf(node: Node): LookUp | undefined {
	const variable = variableOf(node);
	if (variable !== undefined && LISTS.has(variable)) {
		return { key: variable, variable, name: undefined };
	}
	if (node.kind === "select") return inMap(node.operand, node.field);
	if (node.kind !== "binary" || node.operator !== "_[_]") return undefined;
	return inMap(node.left, textLiteral(node.right));
}

/** The look-up whose presence a node asks for: `'x' in req.headers`, `has(req.headers.x)`. */
export function askedFor(node: Node): LookUp | undefined {
	if (node.kind === "has") return inMap(node.operand, node.field);
	if (node.kind !== "binary" || node.operator !== "@in") return undefined;
	return inMap(node.right, textLiteral(node.left));
}

function inMap(map: Node, name: string | undefined): LookUp | undefined {
	const variable = variableOf(map);
	if (variable === undefined || name === undefined || !isMap(variable)) return undefined;
	return { key: keyOf(variable, name), variable, name };
}

const isMap = (variable: string): variable is VariableName => MAPS.has(variable);

/** The key of the list that a variable holds for a name. */
export const keyOf = (variable: VariableName, name: string): string =>
	`${variable} ${variable.endsWith(".headers") ? asciiLowerCase(name) : name}`;
