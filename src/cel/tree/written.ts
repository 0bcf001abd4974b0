/**
 * Simple expressions as an author would write them, for sentences that name one or propose another. Takes
 * nodes of a checked tree; called by `check/remedies.ts` and by the lints of policy/.
 */
import type { Node } from "./node.ts";

/** Variables, fields, look-ups, and texts, whole numbers and bools; undefined for all else. */
export function written(node: Node): string | undefined {
	switch (node.kind) {
		case "identifier":
		case "variable":
		case "typeName":
			return node.name;
		case "select": {
			const operand = written(node.operand);
			return operand === undefined ? undefined : `${operand}.${node.field}`;
		}
		case "constant": {
			const { value } = node;
			if (typeof value === "string") return writtenText(value);
			return typeof value === "bigint" || typeof value === "boolean" ? String(value) : undefined;
		}
		case "binary": {
			if (node.operator !== "_[_]") return undefined;
			const [operand, key] = [written(node.left), written(node.right)];
			return operand === undefined || key === undefined ? undefined : `${operand}[${key}]`;
		}
		case "list": {
			const elements = node.elements.map(written);
			return elements.includes(undefined) ? undefined : `[${elements.join(", ")}]`;
		}
		default:
			return undefined;
	}
}

/** A string literal. */
export const writtenText = (text: string): string =>
	`'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
