/**
 * Finds the guards of a checked expression: conditions on the method, host or path that must hold for it to be
 * true. `policy/rules/guard-index.ts` passes over rules by their guards, without asking them. Called once per predicate by
 * `compile.ts`.
 *
 * `&&` absorbs a failure where another operand is false, so the guard of one operand is a guard of the whole.
 * `||` needs a guard on the same attribute in both operands. Any other expression has no guards.
 */

import type { Guard } from "../expression.ts";
import type { BinaryNode, CallNode, Node, QuantifierNode } from "../tree/node.ts";
import { textLiteral } from "../tree/parts.ts";
import { VARIABLE_TABLE } from "../variables/table.ts";
import { bothOf, eitherOf, type Guards, NO_GUARDS, oneGuard } from "./algebra.ts";

/** by variable */
export const GUARDED_ATTRIBUTES: ReadonlyMap<string, Guard["attribute"]> = new Map(
	VARIABLE_TABLE.flatMap(({ name, guard }) => (guard === undefined ? [] : [[name, guard]])),
);

/** Loop variables and the constant texts they run over. */
type Loops = ReadonlyMap<string, readonly string[]>;

const NO_LOOPS: Loops = new Map();

export const guardsOf = (checked: Node): Guards => guardsIn(checked, NO_LOOPS);

function guardsIn(node: Node, loops: Loops): Guards {
	switch (node.kind) {
		case "quantifier":
			return guardsOfExists(node, loops);
		case "binary":
			return guardsOfOperator(node, loops);
		case "call":
			return guardsOfCall(node, loops);
		default:
			return NO_GUARDS;
	}
}

function guardsOfOperator({ operator, left, right }: BinaryNode, loops: Loops): Guards {
	switch (operator) {
		case "_&&_":
			return bothOf(guardsIn(left, loops), guardsIn(right, loops));
		case "_||_":
			return eitherOf(guardsIn(left, loops), guardsIn(right, loops));
		case "_==_": {
			const guards = guardOn(left, "equals", textsOf(right, loops));
			return guards.length > 0 ? guards : guardOn(right, "equals", textsOf(left, loops));
		}
		case "@in":
			return guardOn(left, "equals", textsIn(right, loops));
		default:
			return NO_GUARDS;
	}
}

function guardsOfCall({ name, target, args }: CallNode, loops: Loops): Guards {
	if (name === "startsWith") {
		return guardOn(target, "starts_with", textsOf(args[0], loops));
	}
	if (name !== "matches") return NO_GUARDS;
	const [text, pattern] = target === undefined ? args : [target, args[0]];
	return guardOn(text, "starts_with", textsOf(pattern, NO_LOOPS)?.flatMap(beginningOf));
}

function guardOn(
	operand: Node | undefined,
	test: Guard["test"],
	values: readonly string[] | undefined,
): Guards {
	if (operand?.kind !== "variable" || values === undefined) return NO_GUARDS;
	const attribute = GUARDED_ATTRIBUTES.get(operand.name);
	// everything starts with nothing
	if (attribute === undefined || (test === "starts_with" && values.includes(""))) return NO_GUARDS;
	return oneGuard(attribute, test, values);
}

/** `['/a', '/b'].exists(p, req.url.path.startsWith(p))`: some text of the list makes the condition true. */
function guardsOfExists(
	{ macro, range, variables, condition }: QuantifierNode,
	loops: Loops,
): Guards {
	const [variable, second] = variables;
	// any other range might fail, whatever the condition is
	const texts = textsIn(range, loops);
	if (macro !== "exists" || texts === undefined || second !== undefined) return NO_GUARDS;
	return guardsIn(condition, new Map([...loops, [variable, texts]]));
}

/** The texts that a node can yield: a constant, or all texts that a loop variable runs over. */
function textsOf(node: Node | undefined, loops: Loops): readonly string[] | undefined {
	if (node?.kind === "identifier") return loops.get(node.name);
	const text = node && textLiteral(node);
	return text === undefined ? undefined : [text];
}

/** The elements of a list of texts, each once: loops within loops would double them without end. */
function textsIn(list: Node | undefined, loops: Loops): readonly string[] | undefined {
	if (list?.kind !== "list") return undefined;
	const texts = new Set<string>();
	for (const element of list.elements) {
		const known = textsOf(element, loops);
		if (known === undefined) return undefined;
		for (const text of known) texts.add(text);
	}
	return [...texts];
}

/**
 * The text that every match of a pattern starts with, at the start of the input: of `^/api/v[12]` it is
 * `/api/v`. The character before a repetition may be missing, and `|` may lead elsewhere.
 */
function beginningOf(pattern: string): string[] {
	if (pattern.includes("|")) return [""];
	const literal = /^\^([\w/-]*)(.?)/s.exec(pattern);
	const [, text = "", next = ""] = literal ?? [];
	return [/[*?{]/.test(next) ? text.slice(0, -1) : text];
}
