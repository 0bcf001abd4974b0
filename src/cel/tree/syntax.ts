/**
 * The syntax tree, in the shape of the CEL specification's `cel.expr.Expr`. The parser builds it, the
 * checker resolves it in place and writes on every node what it found out, `lower/` reads it. Each node
 * knows where it was written and how deep the tree below it is, so that nothing that walks the tree can
 * run off the stack; the tree counts its nodes, so that no macro makes much of little.
 */
import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import type { Overload } from "../check/signatures.ts";
import type { Type } from "../check/types.ts";
import type { Macro } from "./macros.ts";

export type { Expr };

type KindOf<Case> = Extract<Expr["exprKind"], { case: Case }>;
export type CallExpr = KindOf<"callExpr">["value"];
export type Comprehension = KindOf<"comprehensionExpr">["value"];
export type Constant = KindOf<"constExpr">["value"];
export type ConstantKind = Constant["constantKind"];
type Entry = KindOf<"structExpr">["value"]["entries"][number];

/*
 * The specification's messages that hold other nodes, as they are here: of nodes, none of them missing.
 */
export interface SelectNode {
	readonly $typeName: "cel.expr.Expr.Select";
	operand: Node;
	readonly field: string;
	readonly testOnly: boolean;
}
export interface CallNode {
	readonly $typeName: "cel.expr.Expr.Call";
	target?: Node;
	function: string;
	args: Node[];
}
export interface ListNode {
	readonly $typeName: "cel.expr.Expr.CreateList";
	readonly elements: Node[];
	/** not to be changed: all lists without optional elements share one */
	readonly optionalIndices: number[];
}
export interface MapEntry extends Entry {
	keyKind: { case: "mapKey"; value: Node };
	value: Node;
}
export interface MapNode {
	readonly $typeName: "cel.expr.Expr.CreateStruct";
	readonly messageName: "";
	readonly entries: MapEntry[];
}
export interface ComprehensionNode {
	readonly $typeName: "cel.expr.Expr.Comprehension";
	readonly iterVar: string;
	/** "" for macros with one loop variable */
	readonly iterVar2: string;
	iterRange: Node;
	readonly accuVar: string;
	accuInit: Node;
	loopCondition: Node;
	loopStep: Node;
	result: Node;
}

export type NodeKind =
	| KindOf<"constExpr">
	| KindOf<"identExpr">
	| { readonly case: "selectExpr"; readonly value: SelectNode }
	| { readonly case: "callExpr"; readonly value: CallNode }
	| { readonly case: "listExpr"; readonly value: ListNode }
	| { readonly case: "structExpr"; readonly value: MapNode }
	| { readonly case: "comprehensionExpr"; readonly value: ComprehensionNode };

const NO_OVERLOADS: readonly Overload[] = [];
const NO_INDICES: number[] = [];

export class Node implements Expr {
	readonly exprKind: NodeKind;
	/** UTF-16 offset into the source */
	readonly offset: number;
	/** 1 for a leaf */
	readonly depth: number;
	/** counts from 1 within a tree */
	readonly number: number;
	/** of a comprehension: the macro it was made by */
	macro: Macro | undefined = undefined;
	/** set by the checker; may hold variables that are bound later, so `Scope.typeOf` is to be asked */
	type: Type | undefined = undefined;
	/** of a checked call: those that fit the types of its operands */
	overloads = NO_OVERLOADS;

	constructor(number: number, offset: number, depth: number, exprKind: NodeKind) {
		this.number = number;
		this.offset = offset;
		this.depth = depth;
		this.exprKind = exprKind;
	}

	get $typeName(): "cel.expr.Expr" {
		return "cel.expr.Expr";
	}

	/** Made when asked for: only the specification's own tools do. */
	get id(): bigint {
		return BigInt(this.number);
	}
}

/** Every tree of this project consists of `Node`s. @throws for others */
export function nodeOf(expr: Expr): Node {
	if (expr instanceof Node) return expr;
	throw new Error("the syntax tree was not built here");
}

/** The name of a macro's accumulator; no identifier can be written like it. */
export const ACCUMULATOR = "@result";

export class SyntaxTree {
	/** nodes made so far */
	size = 0;

	offsetOf(expr: Expr): number {
		return nodeOf(expr).offset;
	}

	/** 1 for a leaf */
	depthOf(expr: Expr): number {
		return nodeOf(expr).depth;
	}

	/** The macro that a comprehension was written as. */
	macroOf(expr: Expr): Macro | undefined {
		return nodeOf(expr).macro;
	}

	constant(offset: number, constantKind: ConstantKind): Node {
		const value: Constant = { $typeName: "cel.expr.Constant", constantKind };
		return this.#node(offset, 0, { case: "constExpr", value });
	}

	boolean(offset: number, value: boolean): Node {
		return this.constant(offset, { case: "boolValue", value });
	}

	int(offset: number, value: bigint): Node {
		return this.constant(offset, { case: "int64Value", value });
	}

	string(offset: number, value: string): Node {
		return this.constant(offset, { case: "stringValue", value });
	}

	identifier(offset: number, name: string): Node {
		const value = { $typeName: "cel.expr.Expr.Ident" as const, name };
		return this.#node(offset, 0, { case: "identExpr", value });
	}

	select(offset: number, operand: Node, field: string, testOnly = false): Node {
		const value: SelectNode = { $typeName: "cel.expr.Expr.Select", operand, field, testOnly };
		return this.#node(offset, operand.depth, { case: "selectExpr", value });
	}

	call(offset: number, name: string, args: Node[], target?: Node): Node {
		const value: CallNode = { $typeName: "cel.expr.Expr.Call", function: name, args };
		if (target !== undefined) value.target = target;
		const depth = Math.max(deepest(args), target?.depth ?? 0);
		return this.#node(offset, depth, { case: "callExpr", value });
	}

	/** @param optionalIndices places of elements written `?element` */
	list(offset: number, elements: Node[], optionalIndices = NO_INDICES): Node {
		const value: ListNode = {
			$typeName: "cel.expr.Expr.CreateList",
			elements,
			optionalIndices,
		};
		return this.#node(offset, deepest(elements), { case: "listExpr", value });
	}

	map(offset: number, entries: MapEntry[]): Node {
		let depth = 0;
		for (const { keyKind, value } of entries) {
			depth = Math.max(depth, keyKind.value.depth, value.depth);
		}
		const value: MapNode = { $typeName: "cel.expr.Expr.CreateStruct", messageName: "", entries };
		return this.#node(offset, depth, { case: "structExpr", value });
	}

	/** @param optionalEntry is it written `?key: value`? */
	entry(key: Node, value: Node, optionalEntry = false): MapEntry {
		return {
			$typeName: "cel.expr.Expr.CreateStruct.Entry",
			id: 0n,
			keyKind: { case: "mapKey", value: key },
			value,
			optionalEntry,
		};
	}

	comprehension(
		offset: number,
		macro: Macro | undefined,
		parts: Omit<ComprehensionNode, "$typeName">,
	): Node {
		const value: ComprehensionNode = { $typeName: "cel.expr.Expr.Comprehension", ...parts };
		const { accuInit, iterRange, loopCondition, loopStep, result } = parts;
		const depth = deepest([accuInit, iterRange, loopCondition, loopStep, result]);
		const node = this.#node(offset, depth, { case: "comprehensionExpr", value });
		node.macro = macro;
		return node;
	}

	#node(offset: number, depthBelow: number, exprKind: NodeKind): Node {
		this.size++;
		return new Node(this.size, offset, depthBelow + 1, exprKind);
	}
}

function deepest(nodes: readonly Node[]): number {
	let depth = 0;
	for (const node of nodes) if (node.depth > depth) depth = node.depth;
	return depth;
}
