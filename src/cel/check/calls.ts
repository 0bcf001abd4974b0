/**
 * Calls and operators: finds what is called, checks its operands, and resolves the overloads that fit.
 * Called by `check.ts`.
 */
import { nearest, quoted } from "../../documents/nearest.ts";
import { MACRO_USAGE, OPTIONAL_TARGET } from "../parse/expand.ts";
import type { CallNode, Node } from "../tree/syntax.ts";
import { DECLARATIONS, FUNCTION_NAMES } from "./declarations.ts";
import { selectedType } from "./fields.ts";
import { mismatch } from "./mismatch.ts";
import { resolveOverloads } from "./overloads.ts";
import { remedy } from "./remedies.ts";
import { replaced } from "./replacements.ts";
import type { Scope } from "./scope.ts";
import { DYN, optionalOf, resolve, typeName } from "./types.ts";
import { NAMESPACES } from "./variables.ts";

type CheckNode = (scope: Scope, node: Node) => Node;

export function checkCall(scope: Scope, node: Node, call: CallNode, checkNode: CheckNode): Node {
	const { target, args } = call;
	if (call.function === "_?._") return checkOptionalSelection(scope, node, args, checkNode);
	const qualified = target === undefined ? undefined : qualifiedName(scope, target, call.function);
	const name = qualified ?? withoutDot(call.function);
	const isKnown = DECLARATIONS.has(name);
	// what a macro binds is unknown here, so its arguments tell nothing
	if (!isKnown && MACRO_USAGE.has(name)) return misusedMacro(scope, node, name, args.length);
	const isMethod = target !== undefined && qualified === undefined;
	if (isMethod) call.target = checkNode(scope, target);
	for (let at = 0; at < args.length; at++) {
		const arg = args[at];
		if (arg !== undefined) args[at] = checkNode(scope, arg);
	}
	if (!isKnown) return unknownFunction(scope, node, name);
	const operands = isMethod && call.target !== undefined ? [call.target, ...args] : args;
	if (!resolveOverloads(scope, node, name, isMethod, operands)) {
		return scope.refuse(node, "expression_type", misfit(name, isMethod, operands));
	}
	const replacement = replaced(scope, node, name, operands);
	if (replacement !== undefined) return replacement;
	return name === call.function ? node : renamed(scope, node, name, args);
}

function misfit(name: string, isMethod: boolean, operands: readonly Node[]): string {
	const types = operands.map(({ type }) => type ?? DYN);
	const condition = operands[0]?.exprKind;
	const target = condition?.case === "callExpr" ? condition.value.target?.exprKind : undefined;
	if (target?.case === "identExpr" && target.value.name === OPTIONAL_TARGET) {
		return `the expression of optFlatMap() yields an optional, not ${typeName(types[1] ?? DYN)}`;
	}
	const sentence = mismatch(name, isMethod, types, DECLARATIONS.get(name) ?? []);
	return sentence + remedy(name, isMethod, operands);
}

/** The same call without target, under the function's whole name. */
function renamed(scope: Scope, node: Node, name: string, args: Node[]): Node {
	const call = scope.tree.call(node.offset, name, args);
	call.type = node.type;
	call.overloads = node.overloads;
	return call;
}

const withoutDot = (name: string): string => (name.startsWith(".") ? name.slice(1) : name);

/** Names that are nothing but namespaces of functions: `math` of `math.ceil`, and some not offered. */
const FUNCTION_NAMESPACES: ReadonlySet<string> = new Set(
	[...FUNCTION_NAMES, ...MACRO_USAGE.keys(), "proto.", "regex."]
		.filter((name) => name.includes("."))
		.map((name) => name.slice(0, name.indexOf("."))),
);

/** `rand.int` where `rand.int(…)` is a function, or would be one: nothing else is called `rand`. */
function qualifiedName(scope: Scope, { exprKind }: Node, method: string): string | undefined {
	if (exprKind.case !== "identExpr") return undefined;
	const { name } = exprKind.value;
	const namespace = withoutDot(name);
	if (!FUNCTION_NAMESPACES.has(namespace) || NAMESPACES.has(namespace)) return undefined;
	return scope.local(name) === undefined ? `${namespace}.${method}` : undefined;
}

function misusedMacro(scope: Scope, node: Node, name: string, argumentCount: number): Node {
	const given = `got ${argumentCount} argument${argumentCount === 1 ? "" : "s"}`;
	const message = `${name}() takes ${MACRO_USAGE.get(name)}; ${given}`;
	return scope.refuse(node, "expression_type", message);
}

const CALLABLE_NAMES: readonly string[] = [...FUNCTION_NAMES, ...MACRO_USAGE.keys(), "has"];

function unknownFunction(scope: Scope, node: Node, name: string): Node {
	if (scope.isFull) return scope.refuse(node, "unknown_function", "");
	const near =
		CALLABLE_NAMES.find((known) => known.endsWith(`.${name}`)) ?? nearest(name, CALLABLE_NAMES);
	const hint = near === undefined ? "" : `; did you mean "${near}"?`;
	return scope.refuse(node, "unknown_function", `unknown function ${quoted(name)}${hint}`);
}

/** `operand.?field`: an optional, of the field that `operand.field` selects. */
function checkOptionalSelection(
	scope: Scope,
	node: Node,
	args: Node[],
	checkNode: CheckNode,
): Node {
	const [unchecked, name] = args;
	const kind = name?.exprKind.case === "constExpr" ? name.exprKind.value.constantKind : undefined;
	if (unchecked === undefined || name === undefined || kind?.case !== "stringValue") {
		throw new Error("an optional selection has an operand and a name");
	}
	const operand = checkNode(scope, unchecked);
	args[0] = operand;
	checkNode(scope, name);
	const type = selectedType(scope, node, operand, kind.value);
	// through an optional the selection yields one anyway
	const isOptional = resolve(operand.type ?? DYN).kind === "optional";
	node.type = isOptional ? type : optionalOf(type);
	return node;
}
