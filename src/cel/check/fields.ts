/** Fields of maps, records and optionals, as `operand.field` and `has(operand.field)` name them. */
import { nearest, quoted } from "../../documents/nearest.ts";
import type { Node, SelectNode } from "../tree/syntax.ts";
import type { Scope } from "./scope.ts";
import { BOOL, DYN, ERROR, optionalOf, resolve, STRING, type Type, typeName } from "./types.ts";

/** `operand.field` or `has(operand.field)` of a checked operand. */
export function selectField(
	scope: Scope,
	node: Node,
	{ operand, field, testOnly }: SelectNode,
): Node {
	const type = selectedType(scope, node, operand, field);
	node.type = testOnly ? BOOL : type;
	return node;
}

/** What a field of the operand holds; of an optional's value an optional. */
export function selectedType(scope: Scope, at: Node, operand: Node, field: string): Type {
	const type = resolve(operand.type ?? DYN);
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
