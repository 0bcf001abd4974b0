/** Nodes of a syntax tree, in the shape that the library plans from. Used by `rewrite.ts` and `macros.ts`. */
import type { Expr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";

export type { Expr };
export type ExprKind = Expr["exprKind"];

export const node = (exprKind: ExprKind): Expr => ({
	$typeName: "cel.expr.Expr",
	id: 0n,
	exprKind,
});

export const name = (text: string): Expr =>
	node({ case: "identExpr", value: { $typeName: "cel.expr.Expr.Ident", name: text } });

export const call = (text: string, ...args: Expr[]): Expr =>
	node({ case: "callExpr", value: { $typeName: "cel.expr.Expr.Call", function: text, args } });

export const list = (...elements: Expr[]): Expr =>
	node({
		case: "listExpr",
		value: { $typeName: "cel.expr.Expr.CreateList", elements, optionalIndices: [] },
	});

type Constant = Extract<ExprKind, { case: "constExpr" }>["value"]["constantKind"];

export const constant = (constantKind: Constant): Expr =>
	node({ case: "constExpr", value: { $typeName: "cel.expr.Constant", constantKind } });

export const bool = (value: boolean): Expr => constant({ case: "boolValue", value });
export const int = (value: bigint): Expr => constant({ case: "int64Value", value });
export const text = (value: string): Expr => constant({ case: "stringValue", value });

interface Fold {
	readonly range: Expr;
	readonly variable: string;
	readonly accumulator: string;
	readonly start: Expr;
	readonly goOn: Expr;
	readonly step: Expr;
	readonly result: Expr;
}

export const fold = (parts: Fold): Expr =>
	node({
		case: "comprehensionExpr",
		value: {
			$typeName: "cel.expr.Expr.Comprehension",
			iterVar: parts.variable,
			iterVar2: "",
			iterRange: parts.range,
			accuVar: parts.accumulator,
			accuInit: parts.start,
			loopCondition: parts.goOn,
			loopStep: parts.step,
			result: parts.result,
		},
	});

/**
 * `body` with a value by name; a failure of the value fails what uses it only. The planner looks at what a
 * fold starts with, but not at what a step yields.
 * @param variable that `value` does not name
 */
export const bind = (variable: string, value: Expr, body: Expr): Expr =>
	fold({
		range: list(bool(true)),
		variable: "@unused",
		accumulator: variable,
		start: bool(false),
		goOn: bool(true),
		step: value,
		result: body,
	});
