/**
 * Makes the nodes of one syntax tree: for the parser, and for the checker where it replaces a node. Counts
 * them, and tells every node how deep the tree below it is, so that the parser can refuse trees that are too
 * large or too deep for what walks them later. Macros count as the comprehensions that the specification
 * expands them to, so that the bounds mean what they mean in other implementations of CEL.
 */
import type { Overload } from "../check/signatures.ts";
import { DYN } from "../check/types.ts";
import type {
	BinaryNode,
	BinaryOperator,
	BindNode,
	CallNode,
	ConditionalNode,
	ConstantNode,
	HasNode,
	IdentifierNode,
	ListMacroNode,
	ListNode,
	LoopVariables,
	MapEntry,
	MapMacroNode,
	MapNode,
	Node,
	OptionalSelectNode,
	QuantifierNode,
	SelectNode,
	TypeNameNode,
	UnaryNode,
	UnaryOperator,
	VariableNode,
} from "./node.ts";

const NO_OVERLOADS: readonly Overload[] = [];
const NO_INDICES: readonly number[] = [];

/** Nodes that the comprehension of a quantifier has beside itself, its range and its condition. */
const QUANTIFIER_NODES = { all: 6, exists: 7, exists_one: 10 } as const;
/** The depth of its deepest part that the author did not write. */
const QUANTIFIER_DEPTH = { all: 2, exists: 3, exists_one: 3 } as const;
/** Likewise of macros that make lists and maps; a condition takes a conditional and the name of the result. */
const LIST_MACRO_NODES = 6;
const MAP_MACRO_NODES = 5;
const CONDITION_NODES = 2;
/** Levels between the comprehension and the element: `@result + [element]` has two. */
const LIST_MACRO_LEVELS = 2;
const MAP_MACRO_LEVELS = 1;
const BIND_NODES = 3;

/** The list or map that a macro runs over, and the names of its loop variables. */
export interface Ranging {
	readonly range: Node;
	readonly variables: LoopVariables;
}

export class SyntaxTree {
	/** nodes made so far, macros expanded */
	size = 0;

	constant(offset: number, value: ConstantNode["value"]): ConstantNode {
		this.size++;
		return { kind: "constant", offset, depth: 1, type: DYN, value };
	}

	identifier(offset: number, name: string): IdentifierNode {
		this.size++;
		return { kind: "identifier", offset, depth: 1, type: DYN, name };
	}

	/** @param name as in the table of variables */
	variable(offset: number, name: string): VariableNode {
		this.size++;
		return { kind: "variable", offset, depth: 1, type: DYN, name };
	}

	typeName(offset: number, name: string): TypeNameNode {
		this.size++;
		return { kind: "typeName", offset, depth: 1, type: DYN, name };
	}

	select(offset: number, operand: Node, field: string): SelectNode {
		this.size++;
		return { kind: "select", offset, depth: operand.depth + 1, type: DYN, operand, field };
	}

	has(offset: number, operand: Node, field: string): HasNode {
		this.size++;
		return { kind: "has", offset, depth: operand.depth + 1, type: DYN, operand, field };
	}

	/** The field counts as a node of its own, as it does in the specification's tree. */
	optionalSelect(offset: number, operand: Node, field: string): OptionalSelectNode {
		this.size += 2;
		return { kind: "optionalSelect", offset, depth: operand.depth + 1, type: DYN, operand, field };
	}

	unary(offset: number, operator: UnaryOperator, operand: Node): UnaryNode {
		this.size++;
		const depth = operand.depth + 1;
		const overloads = NO_OVERLOADS;
		return { kind: "unary", offset, depth, type: DYN, overloads, operator, operand };
	}

	binary(offset: number, operator: BinaryOperator, left: Node, right: Node): BinaryNode {
		this.size++;
		const depth = Math.max(left.depth, right.depth) + 1;
		const overloads = NO_OVERLOADS;
		return { kind: "binary", offset, depth, type: DYN, overloads, operator, left, right };
	}

	conditional(offset: number, condition: Node, whenTrue: Node, whenFalse: Node): ConditionalNode {
		this.size++;
		const depth = Math.max(condition.depth, whenTrue.depth, whenFalse.depth) + 1;
		return { kind: "conditional", offset, depth, type: DYN, condition, whenTrue, whenFalse };
	}

	call(offset: number, name: string, args: Node[], target?: Node): CallNode {
		this.size++;
		const depth = Math.max(deepest(args), target?.depth ?? 0) + 1;
		const overloads = NO_OVERLOADS;
		return { kind: "call", offset, depth, type: DYN, overloads, name, target, args };
	}

	/** @param optionalIndices places of elements written `?element` */
	list(offset: number, elements: Node[], optionalIndices = NO_INDICES): ListNode {
		this.size++;
		const depth = deepest(elements) + 1;
		return { kind: "list", offset, depth, type: DYN, elements, optionalIndices };
	}

	map(offset: number, entries: readonly MapEntry[]): MapNode {
		this.size++;
		let depth = 0;
		for (const { key, value } of entries) depth = Math.max(depth, key.depth, value.depth);
		return { kind: "map", offset, depth: depth + 1, type: DYN, entries };
	}

	quantifier(
		offset: number,
		macro: QuantifierNode["macro"],
		{ range, variables }: Ranging,
		condition: Node,
	): QuantifierNode {
		this.size += 1 + QUANTIFIER_NODES[macro];
		const below = Math.max(range.depth, QUANTIFIER_DEPTH[macro], condition.depth + 1);
		const depth = below + 1;
		return { kind: "quantifier", offset, depth, type: DYN, macro, range, variables, condition };
	}

	listMacro(
		offset: number,
		macro: ListMacroNode["macro"],
		{ range, variables }: Ranging,
		condition: Node | undefined,
		element: Node,
	): ListMacroNode {
		this.size += 1 + LIST_MACRO_NODES;
		const depth = this.#loopDepth(range, condition, element.depth + LIST_MACRO_LEVELS);
		return {
			kind: "listMacro",
			offset,
			depth,
			type: DYN,
			macro,
			range,
			variables,
			condition,
			element,
		};
	}

	/** With the keys of the range, or the indexes of its elements. */
	transformMap(
		offset: number,
		{ range, variables }: Ranging,
		condition: Node | undefined,
		element: Node,
	): MapMacroNode {
		this.size += 1 + MAP_MACRO_NODES;
		const depth = this.#loopDepth(range, condition, element.depth + MAP_MACRO_LEVELS);
		const key = this.identifier(offset, variables[0]);
		return {
			kind: "mapMacro",
			offset,
			depth,
			type: DYN,
			macro: "transform_map",
			range,
			variables,
			condition,
			key,
			element,
		};
	}

	transformMapEntry(
		offset: number,
		{ range, variables }: Ranging,
		condition: Node | undefined,
		element: Node,
	): MapMacroNode {
		this.size += 1 + MAP_MACRO_NODES;
		const depth = this.#loopDepth(range, condition, element.depth + MAP_MACRO_LEVELS);
		return {
			kind: "mapMacro",
			offset,
			depth,
			type: DYN,
			macro: "transform_map_entry",
			range,
			variables,
			condition,
			element,
		};
	}

	bind(offset: number, variable: string, value: Node, body: Node): BindNode {
		this.size += 1 + BIND_NODES;
		const depth = Math.max(value.depth, body.depth) + 1;
		return { kind: "bind", offset, depth, type: DYN, variable, value, body };
	}

	/** Of a loop that makes a list or a map; a condition is one level more around the element. */
	#loopDepth(range: Node, condition: Node | undefined, element: number): number {
		if (condition === undefined) return Math.max(range.depth, element) + 1;
		this.size += CONDITION_NODES;
		return Math.max(range.depth, condition.depth + 1, element + 1) + 1;
	}
}

function deepest(nodes: readonly Node[]): number {
	let depth = 0;
	for (const node of nodes) if (node.depth > depth) depth = node.depth;
	return depth;
}
