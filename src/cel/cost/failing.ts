/**
 * Which parts of an expression may fail when evaluated: a failure that another operand makes up for takes time
 * of its own. Functions and operators say it themselves (`library/`); here stand look-ups and macros. Everything that
 * lowering holds for failing is told here, and some more, since lowering knows the ranges of numbers. Called by
 * `cost/walk.ts`.
 */

import type { Scope } from "../check/scope.ts";
import { resolve, type Type } from "../check/types.ts";
import type { Operand } from "../library/operator-failures.ts";
import { operatorNamed } from "../library/operators.ts";
import { FUNCTIONS, IMPLEMENTATIONS } from "../library/table.ts";
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

function callFails(scope: Scope, node: Node, call: CallNode): boolean {
	const name = call.function;
	const operands = (call.target === undefined ? call.args : [call.target, ...call.args]).map(
		(operand) => operandOf(scope, operand),
	);
	const operator = operatorNamed(name);
	if (operator !== undefined) return operator.mayFail(operands);
	const [, pattern] = call.target === undefined ? call.args : [call.target, ...call.args];
	const isSearch = FUNCTIONS.get(name)?.prepared === "pattern";
	if (isSearch && pattern !== undefined && textLiteral(pattern) !== undefined) {
		return operands[0]?.kind !== "string";
	}
	const overloads = scope.overloadsOf(node);
	const [overload] = overloads;
	if (overload === undefined || overloads.length > 1) return true;
	const isDecided = overload.parameters.every((parameter, at) => {
		const wanted = resolve(parameter).kind;
		return wanted === "variable" || wanted === "dyn" || wanted === operands[at]?.kind;
	});
	const mayBeNull = operands.some(({ kind }) => NULLABLE.has(kind));
	return !isDecided || mayBeNull || IMPLEMENTATIONS.get(overload.signature)?.fails !== false;
}
