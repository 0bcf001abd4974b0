/**
 * Comparisons with a constant that the other operand never has (contract 3); `operand-values.ts` knows the constants.
 * In the table of `expression.ts`.
 */
import type { Node } from "../../cel/tree/node.ts";
import { operationOf, textLiteral, textsOf, variableOf } from "../../cel/tree/parts.ts";
import { written, writtenText } from "../../cel/tree/written.ts";
import type { ExpressionFinding } from "./finding.ts";
import { FOLDED, MISTAKES, type Test } from "./operand-values.ts";

const TESTS: ReadonlyMap<string, Test> = new Map([
	["_==_", "equals"],
	["_!=_", "equals"],
	["startsWith", "startsWith"],
	["endsWith", "endsWith"],
	["contains", "contains"],
	["matches", "matches"],
]);

const VERBS: Readonly<Record<Test, string>> = {
	equals: "is never",
	startsWith: "never starts with",
	endsWith: "never ends with",
	contains: "never contains",
	matches: "never matches",
};

/** The findings about one node, one for each constant. */
export function impossibleConstants(node: Node): readonly ExpressionFinding[] {
	const call = operationOf(node);
	const [left, right] = call?.operands ?? [];
	if (call === undefined || left === undefined || right === undefined) return [];
	if (call.name === "@in") {
		return (textsOf(right) ?? []).flatMap((value) => judged(left, value, "equals"));
	}
	const test = TESTS.get(call.name);
	if (test === undefined) return [];
	const value = textLiteral(right);
	if (value !== undefined) return judged(left, value, test);
	const mirrored = test === "equals" ? textLiteral(left) : undefined;
	return mirrored === undefined ? [] : judged(right, mirrored, test);
}

function judged(operand: Node, value: string, test: Test): readonly ExpressionFinding[] {
	const variable = variableOf(operand);
	const call = operationOf(operand);
	const mistake = variable === undefined ? FOLDED.get(call?.name ?? "") : MISTAKES.get(variable);
	// the letters of a pattern are not looked into
	if (mistake === undefined || (variable === undefined && test === "matches")) return [];
	const reason = mistake(value, test);
	if (reason === undefined) return [];
	const [folded] = call?.operands ?? [];
	const inner = folded === undefined ? undefined : written(folded);
	const subject = variable ?? (inner === undefined ? "it" : `${inner}.${call?.name}()`);
	const message = `${subject} ${VERBS[test]} ${writtenText(shortened(value))}: ${reason}`;
	return [{ code: "impossible_constant", message }];
}

const SHOWN_CHARACTERS = 80;

const shortened = (value: string): string =>
	value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value;
