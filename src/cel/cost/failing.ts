/**
 * Which parts of an expression may fail when evaluated: a failure that another operand makes up for takes time
 * of its own. For `cost/walk.ts`; says so of all that lowering says it of (`lower/`), and of some more.
 */

import type { Scope } from "../check/scope.ts";
import { resolve, type Type } from "../check/types.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import { isNeverNull } from "../lower/calls.ts";
import { headerReadOf, textLiteral, variableOf } from "../lower/nodes.ts";
import { readOf } from "../lower/reads.ts";
import type { Macro } from "../tree/macros.ts";
import type { CallNode, Node } from "../tree/syntax.ts";
import { FAILURE } from "./table.ts";

/** May a node fail, unless something below it does? Macros are asked for by `macroFails`. */
export function failsItself(scope: Scope, node: Node): boolean {
	const { exprKind } = node;
	switch (exprKind.case) {
		case "constExpr":
		case "identExpr":
		case "comprehensionExpr":
			return false;
		case "listExpr":
			return exprKind.value.optionalIndices.length > 0;
		case "structExpr":
			return true;
		case "selectExpr": {
			const { operand, testOnly } = exprKind.value;
			const kind = kindOf(scope, operand);
			if (headerReadOf(node) !== undefined || isListMap(operand)) return false;
			if (testOnly) return kind !== "map" && kind !== "record";
			return kind !== "record" || !isNeverNull(operand);
		}
		case "callExpr":
			return headerReadOf(node) === undefined && callFails(scope, node, exprKind.value);
	}
}

/** @param condition of a macro that has one */
export function macroFails(
	scope: Scope,
	macro: Macro,
	range: Node,
	condition: Node | undefined,
): boolean {
	const kind = kindOf(scope, range);
	if (macro.startsWith("transform_map") || (kind !== "list" && kind !== "map")) return true;
	return condition !== undefined && kindOf(scope, condition) !== "bool";
}

/** Nanoseconds of what fails among operands: the last one's failure is that of the whole. */
export const failureCost = (operands: readonly Node[], failing: ReadonlySet<Node>): number =>
	Math.max(0, operands.filter((operand) => failing.has(operand)).length - 1) * FAILURE;

/** Nanoseconds of what fails at each turn: `all` and `exists` go on. */
export function quantifierFailure(
	scope: Scope,
	macro: Macro,
	condition: Node | undefined,
	failing: ReadonlySet<Node>,
): number {
	if (condition === undefined || (macro !== "all" && macro !== "exists")) return 0;
	return failing.has(condition) || kindOf(scope, condition) !== "bool" ? FAILURE : 0;
}

const kindOf = (scope: Scope, node: Node): Type["kind"] => resolve(scope.typeOf(node)).kind;

function isListMap(node: Node): boolean {
	const variable = variableOf(node);
	return variable !== undefined && readOf(variable).isListMap;
}

const RELATIONS: ReadonlySet<string> = new Set(["_<_", "_<=_", "_>_", "_>=_"]);
const ORDERED: ReadonlySet<string> = new Set(["bool", "bytes", "double", "int", "string", "uint"]);
/** values of these types may be null all the same */
const NULLABLE: ReadonlySet<string> = new Set(["duration", "optional", "record", "timestamp"]);

function callFails(scope: Scope, node: Node, call: CallNode): boolean {
	const name = call.function;
	const operands = call.target === undefined ? call.args : [call.target, ...call.args];
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
	const overloads = scope.overloadsOf(node);
	const [overload] = overloads;
	if (overload === undefined || overloads.length > 1) return true;
	const isDecided = overload.parameters.every((parameter, at) => {
		const wanted = resolve(parameter).kind;
		return wanted === "variable" || wanted === "dyn" || wanted === kinds[at];
	});
	const mayBeNull = kinds.some((kind) => NULLABLE.has(kind));
	return !isDecided || mayBeNull || IMPLEMENTATIONS.get(overload.signature)?.fails !== false;
}
