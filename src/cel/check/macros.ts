/**
 * Macros: the types of their variables, and of what they yield. The specification defines a macro by a
 * comprehension, a loop with an accumulator, here `@result`. So the types of a macro are those of the
 * operations in that comprehension, and operands that an operation does not take are refused. Called by
 * `check.ts`.
 *
 * | macro | `@result` starts as | and becomes at each turn | the value in the end |
 * |---|---|---|---|
 * | `all` | `true` | `@result && condition` | `@result` |
 * | `exists` | `false` | `@result \|\| condition` | `@result` |
 * | `exists_one` | `0` | `condition ? @result + 1 : @result` | `@result == 1` |
 * | `filter`, `map`, `transformList` | `[]` | `@result + [element]` | `@result` |
 * | `transformMap` | `{}` | `cel.@mapInsert(@result, key, element)` | `@result` |
 * | `transformMapEntry` | `{}` | `cel.@mapInsert(@result, element)` | `@result` |
 *
 * A macro that makes a list or a map and has a condition makes `condition ? … : @result` at each turn.
 */
import { OPTIONAL_TARGET } from "../parse/macros.ts";
import type {
	BindNode,
	ListMacroNode,
	LoopNode,
	MapMacroNode,
	Node,
	QuantifierNode,
} from "../tree/node.ts";
import { operationType } from "./operations.ts";
import type { Scope } from "./scope.ts";
import {
	BOOL,
	DYN,
	ERROR,
	INT,
	listOf,
	mapOf,
	newVariable,
	resolve,
	type Type,
	typeName,
} from "./types.ts";

type CheckNode = (scope: Scope, node: Node) => Node;

/** `@result && condition`, `@result || condition`, `condition ? @result + 1 : @result`. */
export function checkQuantifier(scope: Scope, node: QuantifierNode, checkNode: CheckNode): Node {
	enterLoop(scope, node, checkNode);
	node.condition = checkNode(scope, node.condition);
	leaveLoop(scope, node);
	const { type } = node.condition;
	if (node.macro === "exists_one") operationType(scope, node, "_?_:_", [type, INT, INT]);
	else operationType(scope, node, node.macro === "all" ? "_&&_" : "_||_", [BOOL, type]);
	node.type = BOOL;
	return node;
}

/** `@result + [element]` */
export function checkListMacro(scope: Scope, node: ListMacroNode, checkNode: CheckNode): Node {
	enterLoop(scope, node, checkNode);
	const made = listOf(newVariable());
	if (node.condition !== undefined) node.condition = checkNode(scope, node.condition);
	node.element = checkNode(scope, node.element);
	leaveLoop(scope, node);
	const added = operationType(scope, node, "_+_", [made, listOf(node.element.type)]);
	return collected(scope, node, made, added);
}

/** `cel.@mapInsert(@result, key, element)`, or `cel.@mapInsert(@result, element)`. */
export function checkMapMacro(scope: Scope, node: MapMacroNode, checkNode: CheckNode): Node {
	enterLoop(scope, node, checkNode);
	const made = mapOf(newVariable(true), newVariable());
	if (node.condition !== undefined) node.condition = checkNode(scope, node.condition);
	const keys: Type[] = [];
	if (node.macro === "transform_map") {
		node.key = checkNode(scope, node.key);
		keys.push(node.key.type);
	}
	node.element = checkNode(scope, node.element);
	leaveLoop(scope, node);
	const operands = [made, ...keys, node.element.type];
	return collected(scope, node, made, operationType(scope, node, "cel.@mapInsert", operands));
}

/** `condition ? added : made`, or `added` alone, has to be what was collected before. */
function collected(
	scope: Scope,
	node: ListMacroNode | MapMacroNode,
	made: Type,
	added: Type,
): Node {
	const stepped =
		node.condition === undefined
			? added
			: operationType(scope, node, "_?_:_", [node.condition.type, added, made]);
	if (!scope.unifier.unify(made, stepped)) {
		const message = `yields ${typeName(stepped)}, where ${typeName(made)} is needed`;
		scope.refuse(node, "expression_type", message);
	}
	node.type = made;
	return node;
}

/** `cel.bind`: the body knows the value by name. */
export function checkBind(scope: Scope, node: BindNode, checkNode: CheckNode): Node {
	node.value = checkNode(scope, node.value);
	if (node.variable === OPTIONAL_TARGET) refuseOther(scope, node.value);
	scope.enter(node.variable, node.value.type);
	node.body = checkNode(scope, node.body);
	scope.leave();
	node.type = node.body.type;
	return node;
}

/** Checks the range and gives the variables their types. */
function enterLoop(scope: Scope, node: LoopNode, checkNode: CheckNode): void {
	node.range = checkNode(scope, node.range);
	const [first, second] = node.variables;
	const [firstType, secondType] = loopTypes(scope, node.range, second !== undefined);
	scope.enter(first, firstType);
	if (second !== undefined) scope.enter(second, secondType);
}

const leaveLoop = (scope: Scope, { variables }: LoopNode): void =>
	scope.leave(variables[1] === undefined ? 1 : 2);

/** One variable holds elements of a list or keys of a map; two hold index and element, or key and value. */
function loopTypes(scope: Scope, range: Node, areTwo: boolean): readonly [Type, Type] {
	const type = resolve(range.type);
	switch (type.kind) {
		case "list":
			return areTwo ? [INT, type.element] : [type.element, DYN];
		case "map":
			return [type.key, type.value];
		case "variable":
			scope.unifier.unify(type, DYN);
			return [DYN, DYN];
		case "dyn":
			return [DYN, DYN];
		case "error":
			return [ERROR, ERROR];
		default: {
			const message = `a macro runs over a list or a map, not over ${typeName(type)}`;
			scope.refuse(range, "expression_type", message);
			return [ERROR, ERROR];
		}
	}
}

function refuseOther(scope: Scope, target: Node): void {
	const type = resolve(target.type);
	if (["dyn", "error", "optional", "variable"].includes(type.kind)) return;
	const message = `only optionals have optMap() and optFlatMap(), not ${typeName(type)}`;
	scope.refuse(target, "expression_type", message);
}
