/**
 * Functions that the checker treats specially: `getReqHeader` and its like, whose calls become a look-up in a
 * variable; `matches` and `inCidrRange`, whose literal patterns and addresses are judged here; and the functions
 * that ask for chance. Called by `calls.ts` when the types of a call are right.
 */
import { checkAddress, checkRange } from "../../http/ip-address.ts";
import { isPatternFault } from "../pattern/pattern.ts";
import type { Node } from "../tree/node.ts";
import { textLiteral } from "../tree/parts.ts";
import { readVariable } from "./names.ts";
import { resolveBinary, resolveOperation } from "./operations.ts";
import type { Scope } from "./scope.ts";
import { VARIABLES, type Variable } from "./variables.ts";

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

function variableNamed(name: string): Variable {
	const variable = VARIABLES.get(name);
	if (variable === undefined) throw new Error(`no variable ${name}`);
	return variable;
}

function lookUp(scope: Scope, at: Node, variable: Variable, key: Node): Node {
	const map = readVariable(scope, at, variable);
	return resolveBinary(scope, scope.tree.binary(at.offset, "_[_]", map, key));
}

function lookUpIn(name: string): Rule {
	const variable = variableNamed(name);
	return (scope, at, [key]) => key && lookUp(scope, at, variable, key);
}

function isIn(name: string): Rule {
	const variable = variableNamed(name);
	return (scope, at, [key]) => {
		if (key === undefined) return undefined;
		const map = readVariable(scope, at, variable);
		return resolveBinary(scope, scope.tree.binary(at.offset, "@in", key, map));
	};
}

/** @param name of the function that takes the first of the cookies found */
function firstIn(variableName: string, name: string): Rule {
	const variable = variableNamed(variableName);
	return (scope, at, [key]) => {
		if (key === undefined) return undefined;
		const found = lookUp(scope, at, variable, key);
		const call = scope.tree.call(at.offset, name, [found]);
		call.overloads = resolveOperation(scope, call, name, false, [found]);
		return call;
	};
}

const chance: Rule = (scope) => {
	scope.varies = true;
	return undefined;
};

const matches: Rule = (scope, _at, [, pattern]) => {
	const literal = pattern && textLiteral(pattern);
	if (pattern === undefined || literal === undefined) return undefined;
	const prepared = scope.pattern(literal);
	if (isPatternFault(prepared)) scope.refuse(pattern, "invalid_pattern", prepared.message);
	return undefined;
};

const inRanges: Rule = (scope, _at, [address, ranges]) => {
	if (address === undefined || ranges === undefined) return undefined;
	refuseLiteral(scope, address, checkAddress);
	const elements = ranges.kind === "list" ? ranges.elements : [ranges];
	for (const element of elements) refuseLiteral(scope, element, checkRange);
	return undefined;
};

/** Refuses a literal that `fault` finds wrong; an operand that is no literal is judged when evaluated. */
function refuseLiteral(
	scope: Scope,
	literal: Node,
	fault: (text: string) => string | undefined,
): void {
	const text = textLiteral(literal);
	const message = text === undefined ? undefined : fault(text);
	if (message !== undefined) scope.refuse(literal, "invalid_argument", message);
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
