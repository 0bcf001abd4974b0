/**
 * Fields of maps, records and optionals, as `operand.field`, `operand.?field` and `has(operand.field)` name
 * them. Called by `check.ts` and, for the names of variables, by `names.ts`.
 */
import { nearest, quoted } from "../../documents/nearest.ts";
import type { HasNode, Node, OptionalSelectNode, SelectNode } from "../tree/node.ts";
import type { Scope } from "./scope.ts";
import { BOOL, DYN, ERROR, optionalOf, resolve, STRING, type Type, typeName } from "./types.ts";

/** Of a checked operand. */
export function selectField(scope: Scope, node: SelectNode): Node {
	node.type = selectedType(scope, node, node.operand, node.field);
	return node;
}

/** Of a checked operand. */
export function hasField(scope: Scope, node: HasNode): Node {
	selectedType(scope, node, node.operand, node.field);
	node.type = BOOL;
	return node;
}

/** Of a checked operand; yields an optional of what `operand.field` yields. */
export function selectOptional(scope: Scope, node: OptionalSelectNode): Node {
	const type = selectedType(scope, node, node.operand, node.field);
	// through an optional the selection yields one anyway
	const isOptional = resolve(node.operand.type).kind === "optional";
	node.type = isOptional ? type : optionalOf(type);
	return node;
}

/** The type of a field of the operand; an optional if the operand is an optional. */
function selectedType(scope: Scope, at: Node, operand: Node, field: string): Type {
	const type = resolve(operand.type);
	if (type.kind !== "optional") return fieldType(scope, at, type, field);
	return optionalOf(fieldType(scope, at, resolve(type.element), field));
}

function fieldType(scope: Scope, at: Node, type: Type, field: string): Type {
	const refused = (message: string): Type => {
		scope.refuse(at, "expression_type", message);
		return ERROR;
	};
	switch (type.kind) {
		case "dyn":
			return DYN;
		case "variable":
			scope.unifier.unify(type, DYN);
			return DYN;
		case "error":
			return ERROR;
		case "map":
			if (scope.unifier.unify(type.key, STRING)) return type.value;
			return refused(
				`the keys of ${typeName(type)} are no strings; write […] instead of .${field}`,
			);
		case "record": {
			const found = type.fields.get(field);
			if (found !== undefined) return found;
			if (type.absent !== undefined) {
				scope.refuse(at, "unknown_variable", type.absent(field));
				return ERROR;
			}
			const near = nearest(field, type.fields.keys());
			const hint = near === undefined ? "" : `; did you mean "${near}"?`;
			const message = `a ${typeName(type)} has no field ${quoted(field)}${hint}`;
			return refused(message);
		}
		default: {
			const message = `${typeName(type)} has no field ${quoted(field)}; only maps and records have fields`;
			return refused(message);
		}
	}
}
