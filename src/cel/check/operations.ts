/**
 * Operators, and what every operation has in common: its overloads are resolved, or it is refused with a
 * sentence that says why. Called by `check.ts` for operators, by `calls.ts` for functions, by `macros.ts` for
 * the operations that a macro stands for.
 */
import { OPTIONAL_TARGET } from "../parse/macros.ts";
import type { BinaryNode, ConditionalNode, Node, UnaryNode } from "../tree/node.ts";
import { DECLARATIONS } from "./declarations.ts";
import { mismatch } from "./mismatch.ts";
import { resolveOverloads } from "./overloads.ts";
import { remedy } from "./remedies.ts";
import type { Scope } from "./scope.ts";
import type { Overload } from "./signatures.ts";
import { ERROR, type Type, typeName } from "./types.ts";

type CheckNode = (scope: Scope, node: Node) => Node;

const NO_OVERLOADS: readonly Overload[] = [];

/**
 * Sets the type of `node`, which calls `name`.
 * @param operands checked, the receiver first
 * @returns the overloads that fit; none if `node` had to be refused
 */
export function resolveOperation(
	scope: Scope,
	node: Node,
	name: string,
	isMethod: boolean,
	operands: readonly Node[],
): readonly Overload[] {
	const types = operands.map(({ type }) => type);
	const resolution = resolveOverloads(scope.unifier, name, isMethod, types);
	if (resolution === undefined) {
		const sentence = mismatch(name, isMethod, types, DECLARATIONS.get(name) ?? []);
		scope.refuse(node, "expression_type", sentence + remedy(name, isMethod, operands));
		return NO_OVERLOADS;
	}
	node.type = resolution.type;
	return resolution.overloads;
}

/** The type of an operation that a macro stands for; the macro is refused if no overload fits. */
export function operationType(
	scope: Scope,
	macro: Node,
	name: string,
	operands: readonly Type[],
): Type {
	const resolution = resolveOverloads(scope.unifier, name, false, operands);
	if (resolution !== undefined) return resolution.type;
	const sentence = mismatch(name, false, operands, DECLARATIONS.get(name) ?? []);
	scope.refuse(macro, "expression_type", sentence);
	return ERROR;
}

export function checkUnary(scope: Scope, node: UnaryNode, checkNode: CheckNode): Node {
	node.operand = checkNode(scope, node.operand);
	node.overloads = resolveOperation(scope, node, node.operator, false, [node.operand]);
	return node;
}

export function checkBinary(scope: Scope, node: BinaryNode, checkNode: CheckNode): Node {
	node.left = checkNode(scope, node.left);
	node.right = checkNode(scope, node.right);
	return resolveBinary(scope, node);
}

/** Of an operator whose operands are checked. */
export function resolveBinary(scope: Scope, node: BinaryNode): Node {
	node.overloads = resolveOperation(scope, node, node.operator, false, [node.left, node.right]);
	return node;
}

export function checkConditional(scope: Scope, node: ConditionalNode, checkNode: CheckNode): Node {
	node.condition = checkNode(scope, node.condition);
	node.whenTrue = checkNode(scope, node.whenTrue);
	node.whenFalse = checkNode(scope, node.whenFalse);
	const { condition, whenTrue, whenFalse } = node;
	const types = [condition.type, whenTrue.type, whenFalse.type];
	const resolution = resolveOverloads(scope.unifier, "_?_:_", false, types);
	if (resolution === undefined) {
		const sentence = isOfOptionalMacro(condition)
			? `the expression of optFlatMap() yields an optional, not ${typeName(whenTrue.type)}`
			: mismatch("_?_:_", false, types, []);
		return scope.refuse(node, "expression_type", sentence);
	}
	node.type = resolution.type;
	return node;
}

/** Is it what `optMap` and `optFlatMap` ask their target (`parse/macros.ts`)? */
const isOfOptionalMacro = (condition: Node): boolean =>
	condition.kind === "call" &&
	condition.target?.kind === "identifier" &&
	condition.target.name === OPTIONAL_TARGET;
