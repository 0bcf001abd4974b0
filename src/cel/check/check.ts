/**
 * The type checker (contract 3: expressions must type-check against the declared variables). Walks the tree
 * once, gives every node a type by the rules of the CEL specification, notes all faults, and resolves names
 * in the tree itself: variables and types become nodes of their own, functions in namespaces calls without a
 * target, functions that stand for a look-up become that look-up. Called by `compile.ts`.
 */

import type { ConstantNode, ListNode, MapNode, Node } from "../tree/node.ts";
import { Uint } from "../values/value.ts";
import { checkCall } from "./calls.ts";
import { hasField, selectOptional } from "./fields.ts";
import { checkBind, checkListMacro, checkMapMacro, checkQuantifier } from "./macros.ts";
import { checkName, checkSelect } from "./names.ts";
import { checkBinary, checkConditional, checkUnary } from "./operations.ts";
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

/** The type of an expression, and its tree with all names resolved. */
export interface Checked {
	/** may hold type variables: `Scope.typeOf` follows them */
	readonly type: Type;
	readonly expr: Node;
}

/** Resolves `expr` in place. It is good for evaluation if `scope.faults` is empty afterwards. */
export function check(scope: Scope, expr: Node): Checked {
	const checked = checkNode(scope, expr);
	return { type: scope.typeOf(checked), expr: checked };
}

/** @returns the node that takes the place of `node`, its type set */
function checkNode(scope: Scope, node: Node): Node {
	switch (node.kind) {
		case "constant":
			node.type = constantType(node.value);
			return node;
		case "identifier":
			return checkName(scope, node);
		case "variable":
		case "typeName":
			return node;
		case "select":
			return checkSelect(scope, node, checkNode);
		case "has":
			node.operand = checkNode(scope, node.operand);
			return hasField(scope, node);
		case "optionalSelect":
			node.operand = checkNode(scope, node.operand);
			return selectOptional(scope, node);
		case "unary":
			return checkUnary(scope, node, checkNode);
		case "binary":
			return checkBinary(scope, node, checkNode);
		case "conditional":
			return checkConditional(scope, node, checkNode);
		case "call":
			return checkCall(scope, node, checkNode);
		case "list":
			return checkList(scope, node);
		case "map":
			return checkMap(scope, node);
		case "quantifier":
			return checkQuantifier(scope, node, checkNode);
		case "listMacro":
			return checkListMacro(scope, node, checkNode);
		case "mapMacro":
			return checkMapMacro(scope, node, checkNode);
		case "bind":
			return checkBind(scope, node, checkNode);
	}
}

function constantType(value: ConstantNode["value"]): Type {
	if (value === null) return NULL;
	switch (typeof value) {
		case "boolean":
			return BOOL;
		case "bigint":
			return INT;
		case "number":
			return DOUBLE;
		case "string":
			return STRING;
		default:
			return value instanceof Uint ? UINT : BYTES;
	}
}

function checkList(scope: Scope, node: ListNode): Node {
	const { elements, optionalIndices } = node;
	let joined: Type | undefined;
	for (const [at, unchecked] of elements.entries()) {
		const element = checkNode(scope, unchecked);
		elements[at] = element;
		const isOptional = optionalIndices.length > 0 && optionalIndices.includes(at);
		joined = join(scope, joined, isOptional ? unwrapped(scope, element) : element.type);
	}
	node.type = listOf(joined ?? newVariable());
	return node;
}

function checkMap(scope: Scope, node: MapNode): Node {
	let keys: Type | undefined;
	let values: Type | undefined;
	for (const entry of node.entries) {
		entry.key = checkKey(scope, entry.key);
		keys = join(scope, keys, entry.key.type);
		entry.value = checkNode(scope, entry.value);
		const value = entry.isOptional ? unwrapped(scope, entry.value) : entry.value.type;
		values = join(scope, values, value);
	}
	node.type = mapOf(keys ?? newVariable(true), values ?? newVariable());
	return node;
}

function checkKey(scope: Scope, unchecked: Node): Node {
	const key = checkNode(scope, unchecked);
	if (!isKeyType(key.type)) {
		const message = `a key of a map is a bool, int, uint or string, not ${typeName(key.type)}`;
		return scope.refuse(key, "expression_type", message);
	}
	if (resolve(key.type).kind === "variable") scope.unifier.unify(key.type, newVariable(true));
	return key;
}

/** What `?element` puts into its list or map, if anything. */
function unwrapped(scope: Scope, element: Node): Type {
	const type = resolve(element.type);
	switch (type.kind) {
		case "optional":
			return type.element;
		case "dyn":
		case "error":
		case "variable":
			return DYN;
		default: {
			const message = `only optionals are written with "?" before them, not ${typeName(type)}`;
			return scope.refuse(element, "expression_type", message).type;
		}
	}
}

/** The type that the elements have in common: dyn if they differ. */
function join(scope: Scope, common: Type | undefined, type: Type): Type {
	if (common === undefined || common === type) return type;
	if (!scope.unifier.unify(common, type)) return DYN;
	return widest(common, type);
}
