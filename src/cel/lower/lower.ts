/** Lowers one node of a checked tree: calls the function for its kind. Called through `Lowering.lower`. */

import type { Type } from "../check/types.ts";
import type { BinaryNode, CallNode, Node } from "../tree/node.ts";
import { childrenOf } from "../tree/parts.ts";
import {
	lowerHas,
	lowerIn,
	lowerIndex,
	lowerSelect,
	lowerTypeName,
	lowerVariable,
} from "./access.ts";
import { ARITHMETIC_OPERATORS, lowerArithmetic, lowerNegation } from "./arithmetic.ts";
import { lowerFunction } from "./calls.ts";
import { lowerEquality, lowerRelation, RELATIONS } from "./comparison.ts";
import { lowerList, lowerLiteral, lowerMap } from "./literals.ts";
import { lowerConditional, lowerLogical, lowerNot } from "./logic.ts";
import type { Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";
import { lowerBind, lowerListMacro, lowerMapMacro, lowerQuantifier } from "./macros.ts";
import { lowerAlternative, lowerOptionalIndex, lowerOptionalSelect } from "./optionals.ts";

export function lowerNode(lowering: Lowering, node: Node): Lowered {
	const type = lowering.scope.typeOf(node);
	switch (node.kind) {
		case "constant":
			return lowerLiteral(lowering, node, type);
		case "identifier":
			return lowering.local(node.name);
		case "variable":
			return lowerVariable(lowering, node, type);
		case "typeName":
			return lowerTypeName(lowering, node, type);
		case "select":
			return lowerSelect(lowering, node, type);
		case "has":
			return lowerHas(lowering, node);
		case "optionalSelect":
			return lowerOptionalSelect(lowering, node, type);
		case "unary":
			return node.operator === "!_"
				? lowerNot(lowering, node.operand)
				: lowerNegation(lowering, node.operand, type);
		case "binary":
			return lowerBinary(lowering, node, type);
		case "conditional":
			return lowerConditional(lowering, node, type);
		case "call":
			return lowerCall(lowering, node, type);
		case "list":
			return lowerList(lowering, node, type);
		case "map":
			return lowerMap(lowering, node, type);
		case "quantifier":
			return lowerQuantifier(lowering, node);
		case "listMacro":
			return lowerListMacro(lowering, node, type);
		case "mapMacro":
			return lowerMapMacro(lowering, node, type);
		case "bind":
			return lowerBind(lowering, node, type);
	}
}

function lowerBinary(lowering: Lowering, node: BinaryNode, type: Type): Lowered {
	switch (node.operator) {
		case "_&&_":
		case "_||_":
			return lowerLogical(lowering, node);
		case "_==_":
			return lowerEquality(lowering, node, false);
		case "_!=_":
			return lowerEquality(lowering, node, true);
		case "_<_":
		case "_<=_":
		case "_>_":
		case "_>=_":
			return lowerRelation(lowering, RELATIONS[node.operator], node);
		case "_+_":
		case "_-_":
		case "_*_":
		case "_/_":
		case "_%_":
			return lowerArithmetic(lowering, ARITHMETIC_OPERATORS[node.operator], node, type);
		case "@in":
			return lowerIn(lowering, node);
		case "_[_]":
			return lowerIndex(lowering, node, type);
		case "_[?_]":
			return lowerOptionalIndex(lowering, node, type);
	}
}

function lowerCall(lowering: Lowering, node: CallNode, type: Type): Lowered {
	const { name } = node;
	const [optional, other] = childrenOf(node);
	const isAlternative = name === "or" || name === "orValue";
	return isAlternative && optional !== undefined && other !== undefined
		? lowerAlternative(lowering, name, [optional, other], type)
		: lowerFunction(lowering, node, type);
}
