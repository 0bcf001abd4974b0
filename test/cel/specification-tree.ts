/**
 * A tree of this project as the syntax tree of the CEL specification (`cel.expr.Expr`), macros expanded to
 * comprehensions as the specification and the reference implementation's extensions define them. For tests
 * that hold parser and macros against the reference implementation.
 */
import type { LoopNode, Node } from "../../src/cel/tree/node.ts";
import { Uint } from "../../src/cel/values/value.ts";
import { bool, call, constant, type Expr, int, list, name, node, text } from "./oracle/tree.ts";

export function exprOf(tree: Node): Expr {
	switch (tree.kind) {
		case "constant":
			return constantOf(tree.value);
		case "identifier":
		case "variable":
		case "typeName":
			return name(tree.name);
		case "select":
		case "has":
			return node({
				case: "selectExpr",
				value: {
					$typeName: "cel.expr.Expr.Select",
					operand: exprOf(tree.operand),
					field: tree.field,
					testOnly: tree.kind === "has",
				},
			});
		case "optionalSelect":
			return call("_?._", exprOf(tree.operand), text(tree.field));
		case "unary":
			return call(tree.operator, exprOf(tree.operand));
		case "binary":
			return call(tree.operator, exprOf(tree.left), exprOf(tree.right));
		case "conditional":
			return choice(exprOf(tree.condition), exprOf(tree.whenTrue), exprOf(tree.whenFalse));
		case "call": {
			const args = tree.args.map(exprOf);
			if (tree.target === undefined) return call(tree.name, ...args);
			const $typeName = "cel.expr.Expr.Call";
			const value = { $typeName, function: tree.name, target: exprOf(tree.target), args } as const;
			return node({ case: "callExpr", value });
		}
		case "list":
			return node({
				case: "listExpr",
				value: {
					$typeName: "cel.expr.Expr.CreateList",
					elements: tree.elements.map(exprOf),
					optionalIndices: [...tree.optionalIndices],
				},
			});
		case "map":
			return map(
				tree.entries.map(({ key, value, isOptional }) => [exprOf(key), exprOf(value), isOptional]),
			);
		case "bind":
			return comprehension({
				range: list(),
				variables: ["#unused"],
				accumulator: tree.variable,
				start: exprOf(tree.value),
				goOn: bool(false),
				step: name(tree.variable),
				result: exprOf(tree.body),
			});
		case "quantifier":
		case "listMacro":
		case "mapMacro":
			return loop(tree);
	}
}

function constantOf(value: (Node & { kind: "constant" })["value"]): Expr {
	if (value === null) return constant({ case: "nullValue", value: 0 });
	if (value instanceof Uint) return constant({ case: "uint64Value", value: value.value });
	switch (typeof value) {
		case "boolean":
			return bool(value);
		case "bigint":
			return int(value);
		case "number":
			return constant({ case: "doubleValue", value });
		case "string":
			return text(value);
		default:
			return constant({ case: "bytesValue", value: new Uint8Array(value) });
	}
}

const choice = (condition: Expr, whenTrue: Expr, whenFalse: Expr): Expr =>
	call("_?_:_", condition, whenTrue, whenFalse);

const map = (entries: readonly (readonly [Expr, Expr, boolean])[]): Expr =>
	node({
		case: "structExpr",
		value: {
			$typeName: "cel.expr.Expr.CreateStruct",
			messageName: "",
			entries: entries.map(([key, value, optionalEntry]) => ({
				$typeName: "cel.expr.Expr.CreateStruct.Entry",
				id: 0n,
				keyKind: { case: "mapKey", value: key },
				value,
				optionalEntry,
			})),
		},
	});

const RESULT = "@result";
const result = (): Expr => name(RESULT);

/** `@result` is the accumulator, which no identifier can be called. */
function loop(macro: LoopNode): Expr {
	const parts = { range: exprOf(macro.range), variables: macro.variables, accumulator: RESULT };
	const goOn = bool(true);
	switch (macro.macro) {
		case "all":
			return comprehension({
				...parts,
				start: bool(true),
				goOn: call("@not_strictly_false", result()),
				step: call("_&&_", result(), exprOf(macro.condition)),
				result: result(),
			});
		case "exists":
			return comprehension({
				...parts,
				start: bool(false),
				goOn: call("@not_strictly_false", call("!_", result())),
				step: call("_||_", result(), exprOf(macro.condition)),
				result: result(),
			});
		case "exists_one": {
			const counted = call("_+_", result(), int(1n));
			return comprehension({
				...parts,
				start: int(0n),
				goOn,
				step: choice(exprOf(macro.condition), counted, result()),
				result: call("_==_", result(), int(1n)),
			});
		}
		case "filter":
		case "map":
		case "transform_list": {
			const added = call("_+_", result(), list(exprOf(macro.element)));
			const step = stepOf(macro.condition, added);
			return comprehension({ ...parts, start: list(), goOn, step, result: result() });
		}
		case "transform_map": {
			const added = call("cel.@mapInsert", result(), exprOf(macro.key), exprOf(macro.element));
			const step = stepOf(macro.condition, added);
			return comprehension({ ...parts, start: map([]), goOn, step, result: result() });
		}
		case "transform_map_entry": {
			const added = call("cel.@mapInsert", result(), exprOf(macro.element));
			const step = stepOf(macro.condition, added);
			return comprehension({ ...parts, start: map([]), goOn, step, result: result() });
		}
	}
}

const stepOf = (condition: Node | undefined, added: Expr): Expr =>
	condition === undefined ? added : choice(exprOf(condition), added, result());

interface Comprehension {
	readonly range: Expr;
	readonly variables: readonly [string, string?];
	readonly accumulator: string;
	readonly start: Expr;
	readonly goOn: Expr;
	readonly step: Expr;
	readonly result: Expr;
}

const comprehension = (parts: Comprehension): Expr =>
	node({
		case: "comprehensionExpr",
		value: {
			$typeName: "cel.expr.Expr.Comprehension",
			iterVar: parts.variables[0],
			iterVar2: parts.variables[1] ?? "",
			iterRange: parts.range,
			accuVar: parts.accumulator,
			accuInit: parts.start,
			loopCondition: parts.goOn,
			loopStep: parts.step,
			result: parts.result,
		},
	});

/** The nodes directly below. */
export function exprsBelow({ exprKind }: Expr): readonly Expr[] {
	switch (exprKind.case) {
		case "selectExpr":
			return present([exprKind.value.operand]);
		case "callExpr":
			return present([exprKind.value.target, ...exprKind.value.args]);
		case "listExpr":
			return exprKind.value.elements;
		case "structExpr":
			return present(
				exprKind.value.entries.flatMap(({ keyKind, value }) => [
					keyKind.case === "mapKey" ? keyKind.value : undefined,
					value,
				]),
			);
		case "comprehensionExpr": {
			const { iterRange, accuInit, loopCondition, loopStep, result: last } = exprKind.value;
			return present([iterRange, accuInit, loopCondition, loopStep, last]);
		}
		default:
			return [];
	}
}

const present = (nodes: readonly (Expr | undefined)[]): readonly Expr[] =>
	nodes.filter((each) => each !== undefined);
