/**
 * The type checker (contract 3: expressions must type-check against the declared variables). Walks the
 * tree once, gives every node a type by the rules of the CEL specification, notes all faults, and
 * resolves names in the tree itself. Called by `compile.ts`.
 */

import {
	type ConstantKind,
	type Expr,
	type ListNode,
	type MapNode,
	type Node,
	nodeOf,
} from "../tree/syntax.ts";
import { checkCall } from "./calls.ts";
import { checkComprehension } from "./comprehensions.ts";
import { checkName, checkSelect } from "./names.ts";
import type { Scope } from "./scope.ts";
import {
	BOOL,
	BYTES,
	DOUBLE,
	DYN,
	INT,
	isKeyType,
	listOf,
	mapOf,
	NULL,
	newVariable,
	resolve,
	STRING,
	type Type,
	typeName,
	UINT,
} from "./types.ts";
import { widest } from "./unify.ts";

/**
 * What the whole expression yields, and the checked tree: variables are identifiers named by `flatName`,
 * functions that stand for a look-up are look-ups, functions in namespaces are calls without target, and
 * `scope.typeOf` and `scope.overloadsOf` know every node.
 */
export interface Checked {
	readonly type: Type;
	readonly expr: Node;
}

/** Resolves `expr` in place. It is good for evaluation if `scope.faults` is empty afterwards. */
export function check(scope: Scope, expr: Expr): Checked {
	const node = checkNode(scope, nodeOf(expr));
	return { type: scope.typeOf(node), expr: node };
}

/** The node that takes the place of `node`, its type set. */
export function checkNode(scope: Scope, node: Node): Node {
	const { exprKind } = node;
	switch (exprKind.case) {
		case "constExpr":
			node.type = constantType(exprKind.value.constantKind.case);
			return node;
		case "identExpr":
			return checkName(scope, node, exprKind.value.name);
		case "selectExpr":
			return checkSelect(scope, node, exprKind.value, checkNode);
		case "callExpr":
			return checkCall(scope, node, exprKind.value, checkNode);
		case "listExpr":
			return checkList(scope, node, exprKind.value);
		case "structExpr":
			return checkMap(scope, node, exprKind.value);
		case "comprehensionExpr":
			return checkComprehension(scope, node, exprKind.value, checkNode);
	}
}

function constantType(kind: ConstantKind["case"]): Type {
	switch (kind) {
		case "boolValue":
			return BOOL;
		case "bytesValue":
			return BYTES;
		case "doubleValue":
			return DOUBLE;
		case "int64Value":
			return INT;
		case "nullValue":
			return NULL;
		case "stringValue":
			return STRING;
		case "uint64Value":
			return UINT;
		default:
			throw new Error(`the parser makes no ${kind}`);
	}
}

function checkList(scope: Scope, node: Node, { elements, optionalIndices }: ListNode): Node {
	let joined: Type | undefined;
	for (let at = 0; at < elements.length; at++) {
		const element = checkChild(scope, elements[at]);
		elements[at] = element;
		const isOptional = optionalIndices.length > 0 && optionalIndices.includes(at);
		joined = join(scope, joined, isOptional ? unwrapped(scope, element) : typeOf(element));
	}
	node.type = listOf(joined ?? newVariable());
	return node;
}

function checkMap(scope: Scope, node: Node, { entries }: MapNode): Node {
	let keys: Type | undefined;
	let values: Type | undefined;
	for (const entry of entries) {
		const key = checkNode(scope, entry.keyKind.value);
		entry.keyKind.value = key;
		if (isKeyType(typeOf(key))) {
			if (resolve(typeOf(key)).kind === "variable")
				scope.unifier.unify(typeOf(key), newVariable(true));
		} else {
			const message = `a key of a map is a bool, int, uint or string, not ${typeName(typeOf(key))}`;
			scope.refuse(key, "expression_type", message);
		}
		keys = join(scope, keys, typeOf(key));
		entry.value = checkNode(scope, entry.value);
		const value = entry.optionalEntry ? unwrapped(scope, entry.value) : typeOf(entry.value);
		values = join(scope, values, value);
	}
	node.type = mapOf(keys ?? newVariable(true), values ?? newVariable());
	return node;
}

/** What `?element` puts into its list or map, if anything. */
function unwrapped(scope: Scope, element: Node): Type {
	const type = resolve(typeOf(element));
	switch (type.kind) {
		case "optional":
			return type.element;
		case "dyn":
		case "error":
		case "variable":
			return DYN;
		default: {
			const message = `only optionals are written with "?" before them, not ${typeName(type)}`;
			return typeOf(scope.refuse(element, "expression_type", message));
		}
	}
}

/** The type that the elements have in common: dyn if they differ. */
function join(scope: Scope, common: Type | undefined, type: Type): Type {
	if (common === undefined || common === type) return type;
	if (!scope.unifier.unify(common, type)) return DYN;
	return widest(common, type);
}

const typeOf = (node: Node): Type => node.type ?? DYN;

function checkChild(scope: Scope, child: Node | undefined): Node {
	if (child === undefined) throw new Error("a list has its elements");
	return checkNode(scope, child);
}
