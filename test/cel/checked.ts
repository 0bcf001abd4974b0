/** Short cuts for the tests of the front end: from a source to its checked tree, its type or its faults. */
import { check } from "../../src/cel/check/check.ts";
import { Scope } from "../../src/cel/check/scope.ts";
import type { Overload } from "../../src/cel/check/signatures.ts";
import { type Type, typeName } from "../../src/cel/check/types.ts";
import type { Phase } from "../../src/cel/expression.ts";
import { parse } from "../../src/cel/parse/parse.ts";
import type { Fault } from "../../src/cel/problem.ts";
import type { Node } from "../../src/cel/tree/node.ts";
import type { SyntaxTree } from "../../src/cel/tree/syntax-tree.ts";
import type { Expr } from "./oracle/tree.ts";
import { exprOf } from "./specification-tree.ts";

export type CheckedSource =
	| {
			readonly ok: true;
			readonly type: Type;
			readonly expr: Node;
			readonly scope: Scope;
			readonly tree: SyntaxTree;
	  }
	| { readonly ok: false; readonly faults: readonly Fault[] };

export function checkSource(source: string, phase: Phase = "outbound"): CheckedSource {
	const parsed = parse(source);
	if (!parsed.ok) return { ok: false, faults: [parsed.fault] };
	const scope = new Scope(parsed.tree, phase);
	const checked = check(scope, parsed.expr);
	if (scope.faults.length > 0) return { ok: false, faults: scope.faults };
	return { ok: true, ...checked, scope, tree: parsed.tree };
}

/** As `checkSource`, for sources without faults. */
export function checkedTree(source: string): CheckedSource & { readonly ok: true } {
	const checked = checkSource(source);
	if (!checked.ok) throw new Error(`${source}: ${checked.faults[0]?.message}`);
	return checked;
}

/** The type's name, or the codes of what is wrong. */
export function typeOf(source: string, phase: Phase = "outbound"): string {
	const checked = checkSource(source, phase);
	return checked.ok ? typeName(checked.type) : checked.faults.map(({ code }) => code).join(", ");
}

/** In the order of their places, as they are reported. */
export function faultsOf(source: string, phase: Phase = "outbound"): readonly string[] {
	const checked = checkSource(source, phase);
	if (checked.ok) return [];
	return checked.faults
		.toSorted((left, right) => left.offset - right.offset)
		.map(({ offset, message }) => `${offset}: ${message}`);
}

/** A tree in one line, without places, macros expanded. */
export const shapeOf = (node: Node): string => shape(exprOf(node));

/** The same of a tree of the specification. */
export function shape({ exprKind }: Expr): string {
	const { case: kind, value } = exprKind;
	switch (kind) {
		case "constExpr": {
			const { constantKind } = value;
			const bytes = constantKind.case === "bytesValue" ? [...constantKind.value] : undefined;
			return `${constantKind.case} ${bytes ?? JSON.stringify(String(constantKind.value))}`;
		}
		case "identExpr":
			return value.name;
		case "selectExpr":
			return `(${value.testOnly ? "has " : ""}${shapeIn(value.operand)}.${value.field})`;
		case "callExpr": {
			const target = value.target === undefined ? "" : `${shape(value.target)}.`;
			return `${target}${value.function}(${value.args.map(shape).join(", ")})`;
		}
		case "listExpr": {
			const mark = (at: number): string => (value.optionalIndices.includes(at) ? "?" : "");
			return `[${value.elements.map((each, at) => mark(at) + shape(each)).join(", ")}]`;
		}
		case "structExpr":
			return `{${value.entries
				.map(({ keyKind, value: each, optionalEntry }) =>
					keyKind.case === "mapKey"
						? `${optionalEntry ? "?" : ""}${shape(keyKind.value)}: ${shapeIn(each)}`
						: "?",
				)
				.join(", ")}}`;
		case "comprehensionExpr": {
			const variables =
				value.iterVar2 === "" ? value.iterVar : `${value.iterVar}, ${value.iterVar2}`;
			return `fold ${variables} in ${shapeIn(value.iterRange)}, ${value.accuVar} = ${shapeIn(
				value.accuInit,
			)}; ${shapeIn(value.loopCondition)}; ${shapeIn(value.loopStep)}; ${shapeIn(value.result)}`;
		}
		default:
			return "?";
	}
}

const shapeIn = (expr: Expr | undefined): string => (expr === undefined ? "-" : shape(expr));

/** Of an operator or a call in a checked tree. */
export const overloadsOf = (node: Node): readonly Overload[] =>
	"overloads" in node ? node.overloads : [];
