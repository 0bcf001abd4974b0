/** Lowers one node of a checked tree: finds who lowers its kind. Called through `Lowering.lower`. */

import type { Type } from "../check/types.ts";
import type { CallExpr, Expr } from "../tree/syntax.ts";
import { lowerIn, lowerIndex, lowerName, lowerSelect } from "./access.ts";
import { ARITHMETIC_OPERATORS, lowerArithmetic, lowerNegation } from "./arithmetic.ts";
import { lowerFunction } from "./calls.ts";
import { lowerEquality, lowerRelation, RELATIONS } from "./comparison.ts";
import { lowerList, lowerLiteral, lowerMap } from "./literals.ts";
import { lowerConditional, lowerLogical, lowerNot } from "./logic.ts";
import type { Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";
import { lowerComprehension } from "./macros.ts";
import { operandsOf } from "./nodes.ts";
import { lowerAlternative, lowerOptional } from "./optionals.ts";

export function lowerNode(lowering: Lowering, node: Expr): Lowered {
	const { exprKind } = node;
	const type = lowering.scope.typeOf(node);
	switch (exprKind.case) {
		case "constExpr":
			return lowerLiteral(lowering, exprKind.value, type);
		case "identExpr":
			return lowerName(lowering, node, exprKind.value.name, type);
		case "selectExpr": {
			const { operand, field, testOnly } = exprKind.value;
			if (operand === undefined) throw new Error("a selection has an operand");
			return lowerSelect(lowering, node, { operand, field, testOnly }, type);
		}
		case "callExpr":
			return lowerCall(lowering, node, exprKind.value, type);
		case "listExpr":
			return lowerList(lowering, node, exprKind.value, type);
		case "structExpr":
			return lowerMap(lowering, exprKind.value, type);
		case "comprehensionExpr": {
			const macro = lowering.scope.tree.macroOf(node);
			if (macro === undefined) throw new Error("comprehensions come of macros only");
			return lowerComprehension(lowering, exprKind.value, macro, type);
		}
		default:
			throw new Error(`the parser makes no ${exprKind.case}`);
	}
}

function lowerCall(lowering: Lowering, node: Expr, call: CallExpr, type: Type): Lowered {
	const name = call.function;
	const operands = operandsOf(call);
	const arithmetic = ARITHMETIC_OPERATORS.get(name);
	if (arithmetic !== undefined) return lowerArithmetic(lowering, arithmetic, operands, type);
	const relation = RELATIONS.get(name);
	if (relation !== undefined) return lowerRelation(lowering, relation, operands);
	const [first, second, third] = operands;
	if (first === undefined) return lowerFunction(lowering, node, name, operands, type);
	if (name === "!_") return lowerNot(lowering, first);
	if (name === "-_") return lowerNegation(lowering, first, type);
	if (second === undefined) return lowerFunction(lowering, node, name, operands, type);
	switch (name) {
		case "_&&_":
			return lowerLogical(lowering, node, false);
		case "_||_":
			return lowerLogical(lowering, node, true);
		case "_==_":
			return lowerEquality(lowering, operands, false);
		case "_!=_":
			return lowerEquality(lowering, operands, true);
		case "_[_]":
			return lowerIndex(lowering, node, [first, second], type);
		case "@in":
			return lowerIn(lowering, node, [first, second]);
		case "_?_:_":
			if (third === undefined) throw new Error("?: has three operands");
			return lowerConditional(lowering, [first, second, third], type);
		case "_?._":
			return lowerOptional(lowering, "optionalSelect", [first, second], type);
		case "_[?_]":
			return lowerOptional(lowering, "optionalIndex", [first, second], type);
		case "or":
		case "orValue":
			return lowerAlternative(lowering, name, [first, second], type);
		default:
			return lowerFunction(lowering, node, name, operands, type);
	}
}
