/**
 * What the definition of a function makes the checker do (`library/definition.ts`): put a look-up in a variable in
 * the place of a call (`getReqHeader`), judge literals (patterns, addresses, address ranges), note that the function
 * asks for chance. Called by `calls.ts` when a call has been found right.
 */
import { checkAddress, checkRange } from "../../http/ip-address.ts";
import type { LiteralKind, LookUp } from "../library/definition.ts";
import { FUNCTIONS } from "../library/table.ts";
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
	const definition = FUNCTIONS.get(name);
	if (definition === undefined) return undefined;
	if (definition.asksForChance) scope.varies = true;
	for (const [index, kind] of definition.literals?.entries() ?? []) {
		const operand = operands[index];
		if (kind !== undefined && operand !== undefined) JUDGES[kind](scope, operand);
	}
	return definition.standsFor && instead(scope, at, definition.standsFor, operands[0]);
}

/** What is looked up in the variable that the function stands for. */
function instead(
	scope: Scope,
	at: Node,
	{ variable, yields }: LookUp,
	key: Node | undefined,
): Node {
	if (key === undefined) throw new Error("a look-up has a key");
	if (yields === "presence")
		return call(scope, at, "@in", [key, readVariable(scope, at, variable)]);
	const list = call(scope, at, "_[_]", [readVariable(scope, at, variable), key]);
	return yields === "list" ? list : call(scope, at, yields, [list]);
}

function call(scope: Scope, at: Node, name: string, operands: Node[]): Node {
	const node = scope.tree.call(at.offset, name, operands);
	if (resolveOverloads(scope, node, name, false, operands)) return node;
	throw new Error(`${name} takes what stands for it`);
}

type Judge = (scope: Scope, operand: Node) => void;

const judgePattern: Judge = (scope, pattern) => {
	const literal = textOf(pattern);
	if (literal === undefined) return;
	const prepared = scope.pattern(literal);
	if (isPatternFault(prepared)) scope.refuse(pattern, "invalid_pattern", prepared.message);
};

/** One range or a list of them. */
const judgeRanges: Judge = (scope, ranges) => {
	const { exprKind } = ranges;
	const elements = exprKind.case === "listExpr" ? exprKind.value.elements : [ranges];
	for (const element of elements) refuseLiteral(scope, element, checkRange);
};

const JUDGES: Readonly<Record<LiteralKind, Judge>> = {
	address: (scope, address) => refuseLiteral(scope, address, checkAddress),
	pattern: judgePattern,
	ranges: judgeRanges,
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
