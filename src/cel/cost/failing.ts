/**
 * Which parts of an expression may fail when evaluated: a failure that another operand makes up for takes time
 * of its own. For `cost/walk.ts`; says so of all that lowering says it of (`lower/`), and of some more.
 */

import type { Scope } from "../check/scope.ts";
import { resolve, type Type } from "../check/types.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import { isNeverNull } from "../lower/calls.ts";
import { headerReadOf, isListMap } from "../lower/header-reads.ts";
import type { LoopNode, Node } from "../tree/node.ts";
import { type Operation, operationOf, textLiteral } from "../tree/parts.ts";
import { FAILURE } from "./table.ts";

/** May a node fail, unless something below it does? Macros are asked for by `macroFails`. */
export function failsItself(scope: Scope, node: Node): boolean {
	switch (node.kind) {
		case "list":
			return node.optionalIndices.length > 0;
		case "map":
		case "optionalSelect":
			return true;
		case "select":
		case "has": {
			const { operand } = node;
			const kind = kindOf(scope, operand);
			if (headerReadOf(node) !== undefined || isListMap(operand)) return false;
			if (node.kind === "has") return kind !== "map" && kind !== "record";
			return kind !== "record" || !isNeverNull(operand);
		}
		default: {
			const operation = operationOf(node);
			if (operation === undefined || headerReadOf(node) !== undefined) return false;
			return operationFails(scope, node, operation);
		}
	}
}

export function macroFails(scope: Scope, node: LoopNode): boolean {
	const kind = kindOf(scope, node.range);
	if (node.kind === "mapMacro" || (kind !== "list" && kind !== "map")) return true;
	return node.condition !== undefined && kindOf(scope, node.condition) !== "bool";
}

/** Nanoseconds of what fails among operands: the last one's failure is that of the whole. */
export const failureCost = (operands: readonly Node[], failing: ReadonlySet<Node>): number =>
	Math.max(0, operands.filter((operand) => failing.has(operand)).length - 1) * FAILURE;

/** Nanoseconds of what fails at each turn: `all` and `exists` go on. */
export function quantifierFailure(
	scope: Scope,
	node: LoopNode,
	failing: ReadonlySet<Node>,
): number {
	if (node.macro !== "all" && node.macro !== "exists") return 0;
	const { condition } = node;
	return failing.has(condition) || kindOf(scope, condition) !== "bool" ? FAILURE : 0;
}

const kindOf = (scope: Scope, node: Node): Type["kind"] => resolve(scope.typeOf(node)).kind;

const RELATIONS: ReadonlySet<string> = new Set(["_<_", "_<=_", "_>_", "_>=_"]);
const ORDERED: ReadonlySet<string> = new Set(["bool", "bytes", "double", "int", "string", "uint"]);
/** values of these types may be null all the same */
const NULLABLE: ReadonlySet<string> = new Set(["duration", "optional", "record", "timestamp"]);

function operationFails(scope: Scope, node: Node, { name, operands }: Operation): boolean {
	const kinds = operands.map((operand) => kindOf(scope, operand));
	const [first, second] = kinds;
	if (name === "_==_" || name === "_!=_") return false;
	if (name === "_&&_" || name === "_||_" || name === "!_") {
		return kinds.some((kind) => kind !== "bool");
	}
	if (name === "_?_:_") return first !== "bool";
	if (name === "@in") return second !== "list" && second !== "map";
	if (name === "_[_]") return second !== "string" || !operands[0] || !isListMap(operands[0]);
	if (RELATIONS.has(name)) return first !== second || !ORDERED.has(first ?? "");
	if (name === "matches" && operands[1] !== undefined && textLiteral(operands[1]) !== undefined) {
		return first !== "string";
	}
	const overloads = "overloads" in node ? node.overloads : [];
	const [overload] = overloads;
	if (overload === undefined || overloads.length > 1) return true;
	const isDecided = overload.parameters.every((parameter, at) => {
		const wanted = resolve(parameter).kind;
		return wanted === "variable" || wanted === "dyn" || wanted === kinds[at];
	});
	const mayBeNull = kinds.some((kind) => NULLABLE.has(kind));
	return !isDecided || mayBeNull || IMPLEMENTATIONS.get(overload.signature)?.fails !== false;
}
