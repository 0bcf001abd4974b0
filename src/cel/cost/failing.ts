/**
 * Which parts of an expression may fail when evaluated: a failure that another operand makes up for takes time
 * of its own. Functions and operators say it themselves (`library/`); here stand look-ups and macros. Everything that
 * lowering holds for failing is told here, and some more, since lowering knows the ranges of numbers. Called by
 * `cost/walk.ts`.
 */

import type { Scope } from "../check/scope.ts";
import { resolve, type Type } from "../check/types.ts";
import type { Operand } from "../library/operator-failures.ts";
import { operatorMayFail, operatorNamed } from "../library/operators.ts";
import { FUNCTIONS, IMPLEMENTATIONS } from "../library/table.ts";
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
			return true;
		case "optionalSelect":
			return operatorMayFail("_?._", [operandOf(scope, node.operand)]);
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

const operandOf = (scope: Scope, node: Node): Operand => {
	const kind = kindOf(scope, node);
	return {
		kind,
		mayBeNull: NULLABLE.has(kind) && !isNeverNull(node),
		hasEveryName: isListMap(node),
	};
};

/** values of these types may be null all the same */
const NULLABLE: ReadonlySet<string> = new Set(["duration", "optional", "record", "timestamp"]);

function operationFails(scope: Scope, node: Node, { name, operands }: Operation): boolean {
	const known = operands.map((operand) => operandOf(scope, operand));
	const operator = operatorNamed(name);
	if (operator !== undefined) return operator.mayFail(known);
	const [, pattern] = operands;
	const isSearch = FUNCTIONS.get(name)?.prepared === "pattern";
	if (isSearch && pattern !== undefined && textLiteral(pattern) !== undefined) {
		return known[0]?.kind !== "string";
	}
	const overloads = "overloads" in node ? node.overloads : [];
	const [overload] = overloads;
	if (overload === undefined || overloads.length > 1) return true;
	const isDecided = overload.parameters.every((parameter, at) => {
		const wanted = resolve(parameter).kind;
		return wanted === "variable" || wanted === "dyn" || wanted === known[at]?.kind;
	});
	const mayBeNull = known.some(({ kind }) => NULLABLE.has(kind));
	return !isDecided || mayBeNull || IMPLEMENTATIONS.get(overload.signature)?.fails !== false;
}
