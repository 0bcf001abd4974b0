/**
 * Calls of functions and methods: finds what is called, checks the arguments, and resolves the overloads that
 * fit. Called by `check.ts`.
 */
import { nearest, quoted } from "../../documents/nearest.ts";
import { MACRO_USAGE } from "../parse/macros.ts";
import type { CallNode, Node } from "../tree/node.ts";
import { DECLARATIONS, FUNCTION_NAMES } from "./declarations.ts";
import { resolveOperation } from "./operations.ts";
import { replaced } from "./replacements.ts";
import type { Scope } from "./scope.ts";
import { NAMESPACES } from "./variables.ts";

type CheckNode = (scope: Scope, node: Node) => Node;

export function checkCall(scope: Scope, node: CallNode, checkNode: CheckNode): Node {
	const { target, args } = node;
	const qualified = target === undefined ? undefined : qualifiedName(scope, target, node.name);
	const name = qualified ?? withoutDot(node.name);
	const isKnown = DECLARATIONS.has(name);
	// the variable that a macro would bind is unknown here, so its arguments tell nothing
	if (!isKnown && MACRO_USAGE.has(name)) return misusedMacro(scope, node, name, args.length);
	const receiver =
		target === undefined || qualified !== undefined ? undefined : checkNode(scope, target);
	for (const [at, arg] of args.entries()) args[at] = checkNode(scope, arg);
	if (!isKnown) return unknownFunction(scope, node, name);
	node.target = receiver ?? node.target;
	const operands = receiver === undefined ? args : [receiver, ...args];
	node.overloads = resolveOperation(scope, node, name, receiver !== undefined, operands);
	if (node.overloads.length === 0) return node;
	const replacement = replaced(scope, node, name, operands);
	if (replacement !== undefined) return replacement;
	return name === node.name ? node : renamed(scope, node, name);
}

/** The same call without target, under the function's whole name. */
function renamed(scope: Scope, { offset, type, overloads, args }: CallNode, name: string): Node {
	const call = scope.tree.call(offset, name, args);
	call.type = type;
	call.overloads = overloads;
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
function qualifiedName(scope: Scope, target: Node, method: string): string | undefined {
	if (target.kind !== "identifier") return undefined;
	const namespace = withoutDot(target.name);
	if (!FUNCTION_NAMESPACES.has(namespace) || NAMESPACES.has(namespace)) return undefined;
	return scope.local(target.name) === undefined ? `${namespace}.${method}` : undefined;
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
