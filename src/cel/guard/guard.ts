/**
 * What of a checked expression can be decided by the method, host or path alone: `Predicate.guards`, by
 * which `policy/rule-index.ts` passes over rules unread. Called once per predicate by `compile.ts`.
 *
 * `&&` absorbs failures where another operand is false, so one operand's guard is the whole's. `||` needs
 * a guard on the same attribute in both operands. What is not understood has no guards.
 */

import { flatName } from "../check/variables.ts";
import type { Guard } from "../expression.ts";
import { ACCUMULATOR, type CallExpr, type Comprehension, type Expr } from "../tree/syntax.ts";
import { bothOf, eitherOf, type Guards, NO_GUARDS, oneGuard } from "./algebra.ts";

/** by the names that variables have in a checked tree */
export const GUARDED_ATTRIBUTES: ReadonlyMap<string, Guard["attribute"]> = new Map([
	[flatName("req.method"), "method"],
	[flatName("req.host"), "host"],
	[flatName("req.url.path"), "path"],
]);

/** Loop variables and the constant texts they run over. */
type Loops = ReadonlyMap<string, readonly string[]>;

const NO_LOOPS: Loops = new Map();

/** @param checked as the checker gives it: variables are named by `flatName` */
export const guardsOf = (checked: Expr): Guards => guardsIn(checked, NO_LOOPS);

function guardsIn(expr: Expr, loops: Loops): Guards {
	const { exprKind } = expr;
	if (exprKind.case === "comprehensionExpr") return guardsOfExists(exprKind.value, loops);
	if (exprKind.case !== "callExpr") return NO_GUARDS;
	const call = exprKind.value;
	switch (call.function) {
		case "_&&_":
			return call.args.map((arg) => guardsIn(arg, loops)).reduce(bothOf);
		case "_||_":
			return call.args.map((arg) => guardsIn(arg, loops)).reduce(eitherOf);
		case "_==_":
			return equality(call, loops);
		case "@in":
			return guardOn(call.args[0], "equals", textsIn(call.args[1], loops));
		case "startsWith":
			return guardOn(call.target, "starts_with", textsOf(call.args[0], loops));
		case "matches": {
			const [text, pattern] = call.target === undefined ? call.args : [call.target, call.args[0]];
			return guardOn(text, "starts_with", textsOf(pattern, NO_LOOPS)?.flatMap(beginningOf));
		}
		default:
			return NO_GUARDS;
	}
}

function equality({ args }: CallExpr, loops: Loops): Guards {
	const [left, right] = args;
	const guards = guardOn(left, "equals", textsOf(right, loops));
	return guards.length > 0 ? guards : guardOn(right, "equals", textsOf(left, loops));
}

function guardOn(
	operand: Expr | undefined,
	test: Guard["test"],
	values: readonly string[] | undefined,
): Guards {
	if (operand?.exprKind.case !== "identExpr" || values === undefined) return NO_GUARDS;
	const attribute = GUARDED_ATTRIBUTES.get(operand.exprKind.value.name);
	// everything starts with nothing
	if (attribute === undefined || (test === "starts_with" && values.includes(""))) return NO_GUARDS;
	return oneGuard(attribute, test, values);
}

/** `['/a', '/b'].exists(p, req.url.path.startsWith(p))`: some text of the list makes the body true. */
function guardsOfExists(comprehension: Comprehension, loops: Loops): Guards {
	const { iterRange, iterVar, iterVar2, loopStep, result } = comprehension;
	const step = loopStep?.exprKind;
	const isExists =
		result?.exprKind.case === "identExpr" &&
		step?.case === "callExpr" &&
		step.value.function === "_||_" &&
		isAccumulator(step.value.args[0]);
	const body = isExists ? step.value.args[1] : undefined;
	// any other range might fail, whatever the body is
	const texts = textsIn(iterRange, loops);
	if (body === undefined || texts === undefined || iterVar2 !== "") return NO_GUARDS;
	return guardsIn(body, new Map([...loops, [iterVar, texts]]));
}

const isAccumulator = (expr: Expr | undefined): boolean =>
	expr?.exprKind.case === "identExpr" && expr.exprKind.value.name === ACCUMULATOR;

/** What a text can be: a constant, or each of those that a loop variable runs over. */
function textsOf(expr: Expr | undefined, loops: Loops): readonly string[] | undefined {
	const kind = expr?.exprKind;
	if (kind?.case === "identExpr") return loops.get(kind.value.name);
	if (kind?.case !== "constExpr") return undefined;
	const { constantKind } = kind.value;
	return constantKind.case === "stringValue" ? [constantKind.value] : undefined;
}

/** The elements of a list of texts, each once: loops within loops would double them without end. */
function textsIn(list: Expr | undefined, loops: Loops): readonly string[] | undefined {
	if (list?.exprKind.case !== "listExpr") return undefined;
	const texts = new Set<string>();
	for (const element of list.exprKind.value.elements) {
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
