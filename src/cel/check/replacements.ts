/**
 * The checks that the definition of a function asks for (`library/definition.ts`): `getReqHeader` and its like become
 * a look-up in a variable; the literal patterns and addresses of `matches` and `inCidrRange` are judged here; an
 * expression with a function that asks for chance varies. Called by `calls.ts` when the types of a call are right.
 */
import { checkAddress, checkRange } from "../../http/ip-address.ts";
import type { LiteralKind, LookUp } from "../library/definition.ts";
import { FUNCTIONS } from "../library/table.ts";
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
	const definition = FUNCTIONS.get(name);
	if (definition === undefined) return undefined;
	if (definition.asksForChance) scope.varies = true;
	for (const [index, kind] of definition.literals?.entries() ?? []) {
		const operand = operands[index];
		if (kind !== undefined && operand !== undefined) JUDGES[kind](scope, operand);
	}
	const standsFor = LOOK_UPS.get(name);
	const [key] = operands;
	return standsFor && key && lookUp(scope, at, standsFor, key);
}

function variableNamed(name: string): Variable {
	const variable = VARIABLES.get(name);
	if (variable === undefined) throw new Error(`no variable ${name}`);
	return variable;
}

/** The functions that stand for a look-up, with the variables that they look into. */
const LOOK_UPS: ReadonlyMap<string, LookUpIn> = new Map(
	[...FUNCTIONS.values()].flatMap(({ name, standsFor }) => {
		if (standsFor === undefined) return [];
		const { variable, yields } = standsFor;
		return [[name, { variable: variableNamed(variable), yields }] as const];
	}),
);

interface LookUpIn {
	readonly variable: Variable;
	readonly yields: LookUp["yields"];
}

function lookUp(scope: Scope, at: Node, { variable, yields }: LookUpIn, key: Node): Node {
	const map = readVariable(scope, at, variable);
	if (yields === "presence") {
		return resolveBinary(scope, scope.tree.binary(at.offset, "@in", key, map));
	}
	const found = resolveBinary(scope, scope.tree.binary(at.offset, "_[_]", map, key));
	if (yields === "list") return found;
	const call = scope.tree.call(at.offset, yields, [found]);
	call.overloads = resolveOperation(scope, call, yields, false, [found]);
	return call;
}

type Judge = (scope: Scope, operand: Node) => void;

const judgePattern: Judge = (scope, pattern) => {
	const literal = textLiteral(pattern);
	if (literal === undefined) return;
	const prepared = scope.pattern(literal);
	if (isPatternFault(prepared)) scope.refuse(pattern, "invalid_pattern", prepared.message);
};

/** One range or a list of them. */
const judgeRanges: Judge = (scope, ranges) => {
	const elements = ranges.kind === "list" ? ranges.elements : [ranges];
	for (const element of elements) refuseLiteral(scope, element, checkRange);
};

const JUDGES: Readonly<Record<LiteralKind, Judge>> = {
	address: (scope, address) => refuseLiteral(scope, address, checkAddress),
	pattern: judgePattern,
	ranges: judgeRanges,
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
