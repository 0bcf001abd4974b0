/**
 * Asks of nodes that all readers of trees share: the operation that a node is, the text or variable that it
 * names, the nodes below it. Called by checker, cost, guard, lowering, and by the lints of policy/.
 */
import type { BinaryOperator, LoopNode, Node } from "./node.ts";

/** A function or operator, and its operands: the receiver first, if there is one. */
export interface Operation {
	readonly name: string;
	readonly operands: readonly Node[];
}

/** Of calls and operators; `operand.?field` is neither, as a field is no value. */
export function operationOf(node: Node): Operation | undefined {
	switch (node.kind) {
		case "unary":
			return { name: node.operator, operands: [node.operand] };
		case "binary":
			return { name: node.operator, operands: [node.left, node.right] };
		case "conditional":
			return { name: "_?_:_", operands: [node.condition, node.whenTrue, node.whenFalse] };
		case "call": {
			const { name, target, args } = node;
			return { name, operands: target === undefined ? args : [target, ...args] };
		}
		default:
			return undefined;
	}
}

/** The variable of the exchange that a node of a checked tree names. */
export const variableOf = (node: Node): string | undefined =>
	node.kind === "variable" ? node.name : undefined;

export const textLiteral = (node: Node): string | undefined =>
	node.kind === "constant" && typeof node.value === "string" ? node.value : undefined;

export const intLiteral = (node: Node): number | undefined =>
	node.kind === "constant" && typeof node.value === "bigint" ? Number(node.value) : undefined;

/** The elements of a list of string literals. */
export function textsOf(node: Node): readonly string[] | undefined {
	if (node.kind !== "list") return undefined;
	const texts = node.elements.map(textLiteral);
	return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** The nodes directly below, in the order in which they are evaluated. */
export function childrenOf(node: Node): readonly Node[] {
	switch (node.kind) {
		case "constant":
		case "identifier":
		case "variable":
		case "typeName":
			return [];
		case "select":
		case "has":
		case "optionalSelect":
		case "unary":
			return [node.operand];
		case "binary":
			return [node.left, node.right];
		case "conditional":
			return [node.condition, node.whenTrue, node.whenFalse];
		case "call":
			return node.target === undefined ? node.args : [node.target, ...node.args];
		case "list":
			return node.elements;
		case "map":
			return node.entries.flatMap(({ key, value }) => [key, value]);
		case "bind":
			return [node.value, node.body];
		case "quantifier":
		case "listMacro":
		case "mapMacro":
			return [node.range, ...perTurn(node)];
	}
}

/** The nodes that a macro evaluates at each turn: its condition first, then key and element. */
export function perTurn(node: LoopNode): readonly Node[] {
	if (node.kind === "quantifier") return [node.condition];
	const condition = node.condition === undefined ? [] : [node.condition];
	const key = node.kind === "mapMacro" && node.macro === "transform_map" ? [node.key] : [];
	return [...condition, ...key, node.element];
}

/** The operands of a whole chain of one operator, `a || b || c`, from left to right. */
export function chainOf(node: Node, operator: BinaryOperator): readonly Node[] {
	return node.kind === "binary" && node.operator === operator
		? [...chainOf(node.left, operator), ...chainOf(node.right, operator)]
		: [node];
}
