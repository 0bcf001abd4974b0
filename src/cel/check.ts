/**
 * The type checker (contract 3: expressions must type-check against the declared variables). Walks the
 * tree once, gives every node a type by the rules of the CEL specification, notes all faults, and builds
 * the tree to plan, in which names are resolved. Called by `compile.ts`.
 */
import { checkCall } from "./check/calls.ts";
import { chainOf, checkChain, checkName, selectField } from "./check/names.ts";
import { isLessSpecific } from "./check/unify.ts";
import type { Checked, Scope } from "./scope.ts";
import type { Comprehension, Expr, MapEntry } from "./syntax.ts";
import {
	BOOL,
	BYTES,
	DOUBLE,
	DYN,
	ERROR,
	INT,
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

export function check(scope: Scope, expr: Expr): Checked {
	const { exprKind } = expr;
	switch (exprKind.case) {
		case "constExpr":
			return { type: constantType(exprKind.value.constantKind.case), expr };
		case "identExpr":
			return checkName(scope, expr, exprKind.value.name);
		case "selectExpr":
			return checkSelect(scope, expr, exprKind.value);
		case "callExpr":
			return checkCall(scope, expr, exprKind.value, check);
		case "listExpr":
			return checkList(scope, expr, exprKind.value.elements);
		case "structExpr":
			return checkMap(
				scope,
				expr,
				exprKind.value.entries.flatMap(({ keyKind, value }) =>
					keyKind.case === "mapKey" && value !== undefined ? [[keyKind.value, value] as const] : [],
				),
			);
		case "comprehensionExpr":
			return checkComprehension(scope, expr, exprKind.value);
		default:
			throw new Error(`the parser makes no ${exprKind.case}`);
	}
}

function constantType(kind: string | undefined): Type {
	switch (kind) {
		case "boolValue":
			return BOOL;
		case "bytesValue":
			return BYTES;
		case "doubleValue":
			return DOUBLE;
		case "int64Value":
			return INT;
		case "nullValue":
			return NULL;
		case "stringValue":
			return STRING;
		case "uint64Value":
			return UINT;
		default:
			throw new Error(`the parser makes no ${kind}`);
	}
}

function checkSelect(
	scope: Scope,
	expr: Expr,
	select: {
		readonly operand?: Expr | undefined;
		readonly field: string;
		readonly testOnly: boolean;
	},
): Checked {
	const { operand, field, testOnly } = select;
	if (operand === undefined) throw new Error("a selection has an operand");
	const chain = chainOf(scope, expr);
	if (chain !== undefined) return checkChain(scope, chain);
	return selectField(scope, expr, check(scope, operand), field, testOnly);
}

function checkList(scope: Scope, expr: Expr, elements: readonly Expr[]): Checked {
	const checked = elements.map((element) => check(scope, element));
	const element = joined(scope, checked);
	return {
		type: listOf(element),
		expr: scope.tree.list(
			scope.tree.offsetOf(expr),
			checked.map((each) => each.expr),
		),
	};
}

function checkMap(scope: Scope, expr: Expr, entries: readonly MapEntry[]): Checked {
	const keys = entries.map(([key]) => check(scope, key));
	const values = entries.map(([, value]) => check(scope, value));
	for (const key of keys) {
		if (!isKeyType(resolve(key.type))) {
			const message = `a key of a map is a bool, int, uint or string, not ${typeName(key.type)}`;
			scope.refuse(key.expr, "expression_type", message);
		}
	}
	const pairs = keys.map((key, at) => [key.expr, values[at]?.expr ?? key.expr] as const);
	return {
		type: mapOf(joined(scope, keys), joined(scope, values)),
		expr: scope.tree.map(scope.tree.offsetOf(expr), pairs),
	};
}

const KEY_KINDS: ReadonlySet<string> = new Set([
	"bool",
	"dyn",
	"error",
	"int",
	"string",
	"uint",
	"variable",
]);
const isKeyType = (type: Type): boolean => KEY_KINDS.has(type.kind);

/** The type that all of them have, dyn if they differ; open if there are none. */
function joined(scope: Scope, elements: readonly Checked[]): Type {
	let common: Type | undefined;
	for (const { type } of elements) {
		if (common === undefined) common = type;
		else if (!scope.unifier.unify([common], [type])) return DYN;
		else if (isLessSpecific(type, common)) common = type;
	}
	return common ?? newVariable();
}

function checkComprehension(scope: Scope, expr: Expr, parts: Comprehension): Checked {
	const { iterRange, accuInit, loopCondition, loopStep, result } = parts;
	if (!iterRange || !accuInit || !loopCondition || !loopStep || !result) {
		throw new Error("a macro expands to all parts of a comprehension");
	}
	const range = check(scope, iterRange);
	const init = check(scope, accuInit);
	scope.enter(parts.accuVar, init.type);
	scope.enter(parts.iterVar, elementType(scope, iterRange, resolve(range.type)));
	const condition = check(scope, loopCondition);
	const step = check(scope, loopStep);
	scope.leave();
	if (!scope.unifier.unify([init.type], [step.type])) {
		const message = `yields ${typeName(step.type)}, where ${typeName(init.type)} is needed`;
		scope.refuse(expr, "expression_type", message);
	}
	const outcome = check(scope, result);
	scope.leave();
	const at = scope.tree.offsetOf(expr);
	return {
		type: outcome.type,
		expr: scope.tree.comprehension(at, {
			iterVar: parts.iterVar,
			iterRange: range.expr,
			accuVar: parts.accuVar,
			accuInit: init.expr,
			// counts the step, and ends the evaluation that takes too many
			loopCondition: scope.tree.call(at, "@step", [condition.expr]),
			loopStep: step.expr,
			result: outcome.expr,
		}),
	};
}

/** What the loop variable holds: elements of a list, keys of a map. */
function elementType(scope: Scope, range: Expr, type: Type): Type {
	switch (type.kind) {
		case "list":
			return type.element;
		case "map":
			return type.key;
		case "dyn":
		case "variable":
			return DYN;
		case "error":
			return ERROR;
		default: {
			const message = `a macro runs over a list or a map, not over ${typeName(type)}`;
			return scope.refuse(range, "expression_type", message).type;
		}
	}
}
