/** Looking at the nodes of a checked tree: what they call, read and hold. Used throughout this folder. */
import { asciiLowerCase } from "../../ascii.ts";
import { flatName, VARIABLES } from "../check/variables.ts";
import type { CallExpr, Expr } from "../tree/syntax.ts";
import { readOf } from "./reads.ts";

const VARIABLE_OF: ReadonlyMap<string, string> = new Map(
	[...VARIABLES.keys()].map((name) => [flatName(name), name]),
);

/** The variable of the table that a node names; loop variables have no such names. */
export const variableOf = ({ exprKind }: Expr): string | undefined =>
	exprKind.case === "identExpr" ? VARIABLE_OF.get(exprKind.value.name) : undefined;

export const callOf = ({ exprKind }: Expr): CallExpr | undefined =>
	exprKind.case === "callExpr" ? exprKind.value : undefined;

/** The receiver first, if there is one. */
export const operandsOf = ({ target, args }: CallExpr): readonly Expr[] =>
	target === undefined ? args : [target, ...args];

export function textLiteral({ exprKind }: Expr): string | undefined {
	if (exprKind.case !== "constExpr") return undefined;
	const { constantKind } = exprKind.value;
	return constantKind.case === "stringValue" ? constantKind.value : undefined;
}

/** `req.headers['name']`, `req.headers.name` and `'name' in req.headers` with a literal name. */
export interface HeaderRead {
	readonly variable: string;
	readonly lines: "requestHeaders" | "responseHeaders";
	/** in lower case */
	readonly name: string;
}

export function headerReadOf(node: Expr): HeaderRead | undefined {
	const { exprKind } = node;
	if (exprKind.case === "selectExpr") {
		const { operand, field } = exprKind.value;
		return operand === undefined ? undefined : headerRead(operand, field);
	}
	const call = callOf(node);
	const [first, second] = call?.args ?? [];
	if (call === undefined || first === undefined || second === undefined) return undefined;
	if (call.function === "_[_]") return headerRead(first, textLiteral(second));
	return call.function === "@in" ? headerRead(second, textLiteral(first)) : undefined;
}

function headerRead(map: Expr, name: string | undefined): HeaderRead | undefined {
	const variable = variableOf(map);
	const lines = variable === undefined ? undefined : readOf(variable).lines;
	if (variable === undefined || lines === undefined || name === undefined) return undefined;
	// letters of ASCII only: no other name is a header's, and the Kelvin sign is no k
	return { variable, lines, name: asciiLowerCase(name) };
}

/** The nodes directly below. */
export function childrenOf({ exprKind }: Expr): readonly Expr[] {
	switch (exprKind.case) {
		case "selectExpr":
			return exprKind.value.operand === undefined ? [] : [exprKind.value.operand];
		case "callExpr":
			return operandsOf(exprKind.value);
		case "listExpr":
			return exprKind.value.elements;
		case "structExpr":
			return exprKind.value.entries.flatMap(({ keyKind, value }) => [
				...(keyKind.case === "mapKey" ? [keyKind.value] : []),
				...(value === undefined ? [] : [value]),
			]);
		case "comprehensionExpr": {
			const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
			return [iterRange, accuInit, loopCondition, loopStep, result].filter(
				(node) => node !== undefined,
			);
		}
		default:
			return [];
	}
}

/** The operands of a whole chain of one operator, `a || b || c`, from left to right. */
export function chainOf(node: Expr, operator: string): readonly Expr[] {
	const call = callOf(node);
	return call?.function === operator
		? call.args.flatMap((operand) => chainOf(operand, operator))
		: [node];
}
