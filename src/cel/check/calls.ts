/**
 * Calls and operators: finds the overloads that fit, and replaces the functions that stand for something
 * else (`getReqHeader`, patterns and address ranges known beforehand). Called by `check.ts`.
 */
import { nearest, quoted } from "../../nearest.ts";
import { bakeRanges, checkAddress, checkRange } from "../address.ts";
import { DECLARATIONS, FUNCTION_NAMES } from "../declarations.ts";
import { MACRO_ARGUMENTS } from "../macros.ts";
import type { Checked, Scope } from "../scope.ts";
import type { Overload } from "../signatures.ts";
import type { CallExpr, Expr } from "../syntax.ts";
import { DYN, ERROR, resolve, type Type } from "../types.ts";
import { NAMESPACES } from "../variables.ts";
import { mismatch } from "./mismatch.ts";
import { chainOf, variableFor } from "./names.ts";
import { instantiate } from "./unify.ts";

/** Macros, with those of extensions that are not offered: they bring names along. */
const BINDING_MACROS: ReadonlySet<string> = new Set([
	...MACRO_ARGUMENTS.keys(),
	"bind",
	"optFlatMap",
	"optMap",
	"sortBy",
	"transformList",
	"transformMap",
	"transformMapEntry",
]);

type Check = (scope: Scope, expr: Expr) => Checked;

export function checkCall(scope: Scope, expr: Expr, call: CallExpr, check: Check): Checked {
	const { target } = call;
	const qualified = target === undefined ? undefined : qualifiedName(scope, target, call.function);
	const name = qualified ?? call.function.replace(/^\./, "");
	const overloads = DECLARATIONS.get(name);
	if (overloads === undefined && BINDING_MACROS.has(name.split(".").at(-1) ?? "")) {
		// what they bind is unknown here, so their arguments tell nothing
		return unknownFunction(scope, expr, name, call.args.length);
	}
	const receiver = qualified === undefined && target !== undefined ? [check(scope, target)] : [];
	const operands = [...receiver, ...call.args.map((arg) => check(scope, arg))];
	if (overloads === undefined) {
		return unknownFunction(scope, expr, name, call.args.length);
	}
	const isMethod = receiver.length > 0;
	const type = resultType(scope, overloads, isMethod, operands);
	if (type === undefined) {
		const types = operands.map((operand) => operand.type);
		const message = mismatch(name, isMethod, types, overloads);
		return scope.refuse(expr, "expression_type", message);
	}
	const args = operands.map((operand) => operand.expr);
	return {
		type,
		expr: replaced(scope, expr, name, args) ?? planned(scope, expr, name, isMethod, args),
	};
}

/** `rand.int` where `rand.int(…)` is a function, or would be one: nothing else is called `rand`. */
function qualifiedName(scope: Scope, target: Expr, method: string): string | undefined {
	const parts = chainOf(scope, target)?.parts;
	if (parts === undefined) return undefined;
	const name = [...parts, method].join(".");
	if (DECLARATIONS.has(name)) return name;
	const root = parts[0] ?? "";
	const isNamespace = FUNCTION_NAMES.some((known) => known.startsWith(`${root}.`));
	const isForeign =
		!NAMESPACES.has(root) && /^(math|lists|sets|optional|cel|proto|regex)$/.test(root);
	return isNamespace || isForeign ? name : undefined;
}

function unknownFunction(scope: Scope, expr: Expr, name: string, argumentCount: number): Checked {
	if (MACRO_ARGUMENTS.has(name)) {
		const message = `${name}() takes a loop variable and an expression, as in list.${name}(x, …); got ${argumentCount} argument${argumentCount === 1 ? "" : "s"}`;
		return scope.refuse(expr, "expression_type", message);
	}
	if (scope.isFull) return { type: ERROR, expr };
	const near = nearest(name, [...FUNCTION_NAMES, ...MACRO_ARGUMENTS.keys(), "has"]);
	const hint = near === undefined ? "" : `; did you mean "${near}"?`;
	return scope.refuse(expr, "unknown_function", `unknown function ${quoted(name)}${hint}`);
}

/** The result of the overloads that take these operands: dyn if several do and differ, undefined if none. */
function resultType(
	scope: Scope,
	overloads: readonly Overload[],
	isMethod: boolean,
	operands: readonly Checked[],
): Type | undefined {
	const given = operands.map((operand) => operand.type);
	let result: Type | undefined;
	for (const overload of overloads) {
		if (overload.isMethod !== isMethod || overload.parameters.length !== given.length) continue;
		const variables = new Map();
		const parameters = overload.parameters.map((type) => instantiate(type, variables));
		if (!scope.unifier.unify(parameters, given)) continue;
		const type = instantiate(overload.result, variables);
		if (result === undefined) result = type;
		else if (!scope.unifier.agree(result, type) || resolve(result).kind !== resolve(type).kind) {
			result = DYN;
		}
	}
	// what comes of something refused is not judged again
	const isRefused = given.some((type) => resolve(type).kind === "error");
	return result !== undefined && isRefused ? ERROR : result;
}

function planned(scope: Scope, at: Expr, name: string, isMethod: boolean, args: Expr[]): Expr {
	const [first, ...rest] = args;
	const offset = scope.tree.offsetOf(at);
	return isMethod
		? scope.tree.call(offset, name, rest, first)
		: scope.tree.call(offset, name, args);
}

type Replacement = (scope: Scope, at: Expr, args: readonly Expr[]) => Expr | undefined;

function replaced(scope: Scope, at: Expr, name: string, args: readonly Expr[]): Expr | undefined {
	return REPLACEMENTS.get(name)?.(scope, at, args);
}

const call = (scope: Scope, at: Expr, name: string, ...args: (Expr | undefined)[]): Expr =>
	scope.tree.call(
		scope.tree.offsetOf(at),
		name,
		args.filter((arg) => arg !== undefined),
	);

const lookUp =
	(variable: string): Replacement =>
	(scope, at, [key]) =>
		call(scope, at, "_[_]", variableFor(scope, at, variable), key);

const isThere =
	(variable: string): Replacement =>
	(scope, at, [key]) =>
		call(scope, at, "@in", key, variableFor(scope, at, variable));

const firstCookie =
	(variable: string, name: string): Replacement =>
	(scope, at, args) =>
		call(scope, at, name, lookUp(variable)(scope, at, args));

const chance: Replacement = (scope) => {
	scope.varies = true;
	return undefined;
};

const matches: Replacement = (scope, at, [text, pattern]) => {
	const literal = pattern === undefined ? undefined : textOf(pattern);
	if (pattern === undefined || literal === undefined)
		return call(scope, at, "@matches", text, pattern);
	const baked = scope.pattern(literal);
	if (!("message" in baked))
		return call(scope, at, "@matches", text, scope.constant(pattern, baked));
	scope.refuse(pattern, "invalid_pattern", baked.message);
	return undefined;
};

const inRanges: Replacement = (scope, at, [address, ranges]) => {
	if (address === undefined || ranges === undefined) return undefined;
	refuseLiteral(scope, address, checkAddress);
	const { exprKind } = ranges;
	const elements = exprKind.case === "listExpr" ? exprKind.value.elements : [ranges];
	const bad = elements.filter((element) => refuseLiteral(scope, element, checkRange));
	const literals = elements.map(textOf).filter((text) => text !== undefined);
	if (bad.length > 0 || literals.length < elements.length) return undefined;
	return call(scope, at, "@inRanges", address, scope.constant(ranges, bakeRanges(literals)));
};

/** Refuses a literal that `fault` finds wrong; what is no literal is judged when evaluated. */
function refuseLiteral(
	scope: Scope,
	literal: Expr,
	fault: (text: string) => string | undefined,
): boolean {
	const text = textOf(literal);
	const message = text === undefined ? undefined : fault(text);
	if (message !== undefined) scope.refuse(literal, "invalid_argument", message);
	return message !== undefined;
}

function textOf(expr: Expr): string | undefined {
	if (expr.exprKind.case !== "constExpr") return undefined;
	const { constantKind } = expr.exprKind.value;
	return constantKind.case === "stringValue" ? constantKind.value : undefined;
}

const REPLACEMENTS: ReadonlyMap<string, Replacement> = new Map([
	["getReqHeader", lookUp("req.headers")],
	["hasReqHeader", isThere("req.headers")],
	["getReqCookie", firstCookie("req.cookies", "@firstCookie")],
	["hasReqCookie", isThere("req.cookies")],
	["getQueryParam", lookUp("req.url.query_params")],
	["hasQueryParam", isThere("req.url.query_params")],
	["getResHeader", lookUp("res.headers")],
	["hasResHeader", isThere("res.headers")],
	["getResCookie", firstCookie("res.cookies", "@firstSetCookie")],
	["hasResCookie", isThere("res.cookies")],
	["matches", matches],
	["inCidrRange", inRanges],
	["inCidrRanges", inRanges],
	["rand.double", chance],
	["rand.int", chance],
]);
