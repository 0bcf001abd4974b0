/**
 * Builds the syntax tree, in the shape of the CEL specification's `cel.expr.Expr`, which the library
 * plans from. Keeps for every node where it was written and how deep the tree below it is, so that
 * nothing that walks the tree can run off the stack.
 */
import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";

export type { Expr };
export type ExprKind = Expr["exprKind"];
export type CallExpr = Extract<ExprKind, { case: "callExpr" }>["value"];
export type Comprehension = Extract<ExprKind, { case: "comprehensionExpr" }>["value"];
type ConstantKind = Extract<ExprKind, { case: "constExpr" }>["value"]["constantKind"];
export type MapEntry = readonly [key: Expr, value: Expr];

/** The name of a macro's accumulator; no identifier can be written like it. */
export const ACCUMULATOR = "@result";

export class SyntaxTree {
	/** by node id */
	readonly #offsets: number[] = [0];
	readonly #depths: number[] = [0];

	offsetOf(node: Expr): number {
		return this.#offsets[Number(node.id)] ?? 0;
	}

	/** 1 for a leaf */
	depthOf(node: Expr): number {
		return this.#depths[Number(node.id)] ?? 0;
	}

	constant(offset: number, constantKind: ConstantKind): Expr {
		return this.#node(offset, 0, {
			case: "constExpr",
			value: { $typeName: "cel.expr.Constant", constantKind },
		});
	}

	boolean(offset: number, value: boolean): Expr {
		return this.constant(offset, { case: "boolValue", value });
	}

	int(offset: number, value: bigint): Expr {
		return this.constant(offset, { case: "int64Value", value });
	}

	identifier(offset: number, name: string): Expr {
		return this.#node(offset, 0, {
			case: "identExpr",
			value: { $typeName: "cel.expr.Expr.Ident", name },
		});
	}

	select(offset: number, operand: Expr, field: string, testOnly = false): Expr {
		return this.#node(offset, this.depthOf(operand), {
			case: "selectExpr",
			value: { $typeName: "cel.expr.Expr.Select", operand, field, testOnly },
		});
	}

	call(offset: number, name: string, args: Expr[], target?: Expr): Expr {
		const depth = Math.max(this.#deepest(args), target === undefined ? 0 : this.depthOf(target));
		const call = { $typeName: "cel.expr.Expr.Call" as const, function: name, args };
		return this.#node(offset, depth, {
			case: "callExpr",
			value: target === undefined ? call : { ...call, target },
		});
	}

	list(offset: number, elements: Expr[]): Expr {
		return this.#node(offset, this.#deepest(elements), {
			case: "listExpr",
			value: { $typeName: "cel.expr.Expr.CreateList", elements, optionalIndices: [] },
		});
	}

	map(offset: number, entries: readonly MapEntry[]): Expr {
		return this.#node(offset, this.#deepest(entries.flat()), {
			case: "structExpr",
			value: {
				$typeName: "cel.expr.Expr.CreateStruct",
				messageName: "",
				entries: entries.map(([key, value]) => ({
					$typeName: "cel.expr.Expr.CreateStruct.Entry",
					id: key.id,
					keyKind: { case: "mapKey", value: key },
					value,
					optionalEntry: false,
				})),
			},
		});
	}

	comprehension(offset: number, parts: Omit<Comprehension, "$typeName" | "iterVar2">): Expr {
		const { accuInit, iterRange, loopCondition, loopStep, result } = parts;
		const below = [accuInit, iterRange, loopCondition, loopStep, result];
		return this.#node(offset, this.#deepest(below.filter((node) => node !== undefined)), {
			case: "comprehensionExpr",
			value: { $typeName: "cel.expr.Expr.Comprehension", iterVar2: "", ...parts },
		});
	}

	#deepest(nodes: readonly Expr[]): number {
		let depth = 0;
		for (const node of nodes) depth = Math.max(depth, this.depthOf(node));
		return depth;
	}

	#node(offset: number, depthBelow: number, exprKind: ExprKind): Expr {
		const id = this.#offsets.length;
		this.#offsets.push(offset);
		this.#depths.push(depthBelow + 1);
		return { $typeName: "cel.expr.Expr", id: BigInt(id), exprKind };
	}
}
