/**
 * Functions that the checker knows more about: those that stand for a look-up in a variable
 * (`getReqHeader`), those whose literals are judged when written (patterns, addresses, address ranges),
 * and those that ask for chance. Called by `calls.ts` when a call has been found right.
 */
import { checkAddress, checkRange } from "../../http/ip-address.ts";
import { isPatternFault } from "../pattern/pattern.ts";
import type { Node } from "../tree/syntax.ts";
import { readVariable } from "./names.ts";
import { resolveOverloads } from "./overloads.ts";
import type { Scope } from "./scope.ts";

/** The node to take the call's place, if it doesn't stay. */
export function replaced(
	scope: Scope,
	at: Node,
	name: string,
	operands: readonly Node[],
): Node | undefined {
	return KNOWN.get(name)?.(scope, at, operands);
}

type Rule = (scope: Scope, at: Node, operands: readonly Node[]) => Node | undefined;

function call(scope: Scope, at: Node, name: string, operands: Node[]): Node {
	const node = scope.tree.call(at.offset, name, operands);
	if (resolveOverloads(scope, node, name, false, operands)) return node;
	throw new Error(`${name} takes what stands for it`);
}

function lookUp(scope: Scope, at: Node, variable: string, key: Node | undefined): Node {
	if (key === undefined) throw new Error("a look-up has a key");
	return call(scope, at, "_[_]", [readVariable(scope, at, variable), key]);
}

const lookUpIn =
	(variable: string): Rule =>
	(scope, at, [key]) =>
		lookUp(scope, at, variable, key);

const isIn =
	(variable: string): Rule =>
	(scope, at, [key]) =>
		key && call(scope, at, "@in", [key, readVariable(scope, at, variable)]);

const firstIn =
	(variable: string, name: string): Rule =>
	(scope, at, [key]) =>
		call(scope, at, name, [lookUp(scope, at, variable, key)]);

const chance: Rule = (scope) => {
	scope.varies = true;
	return undefined;
};

const matches: Rule = (scope, _at, [, pattern]) => {
	const literal = pattern && textOf(pattern);
	if (pattern === undefined || literal === undefined) return undefined;
	const prepared = scope.pattern(literal);
	if (isPatternFault(prepared)) scope.refuse(pattern, "invalid_pattern", prepared.message);
	return undefined;
};

const inRanges: Rule = (scope, _at, [address, ranges]) => {
	if (address === undefined || ranges === undefined) return undefined;
	refuseLiteral(scope, address, checkAddress);
	const { exprKind } = ranges;
	const elements = exprKind.case === "listExpr" ? exprKind.value.elements : [ranges];
	for (const element of elements) refuseLiteral(scope, element, checkRange);
	return undefined;
};

/** Refuses a literal that `fault` finds wrong; what is no literal is judged when evaluated. */
function refuseLiteral(
	scope: Scope,
	literal: Node,
	fault: (text: string) => string | undefined,
): void {
	const text = textOf(literal);
	const message = text === undefined ? undefined : fault(text);
	if (message !== undefined) scope.refuse(literal, "invalid_argument", message);
}

function textOf({ exprKind }: Node): string | undefined {
	if (exprKind.case !== "constExpr") return undefined;
	const { constantKind } = exprKind.value;
	return constantKind.case === "stringValue" ? constantKind.value : undefined;
}

const KNOWN: ReadonlyMap<string, Rule> = new Map([
	["getReqHeader", lookUpIn("req.headers")],
	["hasReqHeader", isIn("req.headers")],
	["getReqCookie", firstIn("req.cookies", "@firstCookie")],
	["hasReqCookie", isIn("req.cookies")],
	["getQueryParam", lookUpIn("req.url.query_params")],
	["hasQueryParam", isIn("req.url.query_params")],
	["getResHeader", lookUpIn("res.headers")],
	["hasResHeader", isIn("res.headers")],
	["getResCookie", firstIn("res.cookies", "@firstSetCookie")],
	["hasResCookie", isIn("res.cookies")],
	["matches", matches],
	["inCidrRange", inRanges],
	["inCidrRanges", inRanges],
	["rand.double", chance],
	["rand.int", chance],
]);
