/** What the tests of lint share: the messages for one expression, or for a document. */
import { check } from "../../../src/cel/check/check.ts";
import { Scope } from "../../../src/cel/check/scope.ts";
import { parse } from "../../../src/cel/parse/parse.ts";
import type { Node } from "../../../src/cel/tree/node.ts";
import type { Surroundings } from "../../../src/policy/lint/empty-variables.ts";
import { inspect } from "../../../src/policy/lint/expression.ts";
import { warningsOf } from "../support.ts";

/** The checked tree. @throws if it is refused */
export function checked(source: string): Node {
	const parsed = parse(source);
	if (!parsed.ok) throw new Error(parsed.fault.message);
	const scope = new Scope(parsed.tree, "outbound");
	const { expr } = check(scope, parsed.expr);
	if (scope.faults.length > 0) throw new Error(scope.faults.map((each) => each.message).join());
	return expr;
}

/** `code: message` of what is found in one expression by itself. */
export function said(source: string, around?: Surroundings): string[] {
	const { findings, indexes } = inspect(checked(source), around);
	return [...findings, ...indexes.map(({ finding }) => finding)].map(
		({ code, message }) => `${code}: ${message}`,
	);
}

/** `pointer code: message` of a document's warnings. */
export const lines = (value: unknown): string[] =>
	warningsOf(value).map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);

/** `pointer code` alone. */
export const places = (value: unknown, around?: Surroundings): string[] =>
	warningsOf(value, around).map(({ pointer, code }) => `${pointer} ${code}`);
