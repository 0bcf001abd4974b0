/**
 * Simple expressions as an author would write them, for sentences that name one or propose another. Takes
 * nodes of a checked tree; called by `check/remedies.ts` and by the lints of policy/.
 */
import { textLiteral } from "../lower/nodes.ts";
import type { Node } from "./syntax.ts";

/** Variables, fields, look-ups, and texts, whole numbers and bools; undefined for all else. */
export function written({ exprKind }: Node): string | undefined {
	switch (exprKind.case) {
		case "identExpr":
			return variableName(exprKind.value.name);
		case "selectExpr": {
			const operand = exprKind.value.testOnly ? undefined : written(exprKind.value.operand);
			return operand === undefined ? undefined : `${operand}.${exprKind.value.field}`;
		}
		case "constExpr": {
			const { constantKind } = exprKind.value;
			if (constantKind.case === "stringValue") return writtenText(constantKind.value);
			const isPlain = constantKind.case === "int64Value" || constantKind.case === "boolValue";
			return isPlain ? String(constantKind.value) : undefined;
		}
		case "callExpr": {
			if (exprKind.value.function !== "_[_]") return undefined;
			const [operand, key] = exprKind.value.args.map(written);
			return operand === undefined || key === undefined ? undefined : `${operand}[${key}]`;
		}
		case "listExpr": {
			const elements = exprKind.value.elements.map(written);
			return elements.includes(undefined) ? undefined : `[${elements.join(", ")}]`;
		}
		default:
			return undefined;
	}
}

/** Of the name that a variable has in a checked tree: `req.method` of `@req:method`. */
export const variableName = (name: string): string => name.replace(/^@/, "").replaceAll(":", ".");

/** A string literal. */
export const writtenText = (text: string): string =>
	`'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The elements of a list of string literals. */
export function textsOf({ exprKind }: Node): readonly string[] | undefined {
	if (exprKind.case !== "listExpr") return undefined;
	const texts = exprKind.value.elements.map(textLiteral);
	return texts.every((text) => text !== undefined) ? texts : undefined;
}
