/**
 * Recognises reads of one header with a literal name. Lowered code reads these straight from the header lines of
 * the message, without a map of all headers, and they never fail. Called by `access.ts` and `cost/failing.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { Node } from "../tree/node.ts";
import { textLiteral, variableOf } from "../tree/parts.ts";
import { readOf } from "./reads.ts";

/** `req.headers['name']`, `req.headers.name`, `'name' in req.headers` or `has(req.headers.name)`. */
export interface HeaderRead {
	readonly variable: string;
	readonly lines: "requestHeaders" | "responseHeaders";
	/** in lower case */
	readonly name: string;
}

export function headerReadOf(node: Node): HeaderRead | undefined {
	switch (node.kind) {
		case "select":
		case "has":
			return headerRead(node.operand, node.field);
		case "binary":
			if (node.operator === "_[_]") return headerRead(node.left, textLiteral(node.right));
			return node.operator === "@in" ? headerRead(node.right, textLiteral(node.left)) : undefined;
		default:
			return undefined;
	}
}

function headerRead(map: Node, name: string | undefined): HeaderRead | undefined {
	const variable = variableOf(map);
	const lines = variable === undefined ? undefined : readOf(variable).lines;
	if (variable === undefined || lines === undefined || name === undefined) return undefined;
	// letters of ASCII only: no other name is a header's, and the Kelvin sign is no k
	return { variable, lines, name: asciiLowerCase(name) };
}

/** Is it a variable that has a list for every text, an empty one where a request brings nothing? */
export function isListMap(node: Node): boolean {
	const variable = variableOf(node);
	return variable !== undefined && readOf(variable).isListMap;
}
