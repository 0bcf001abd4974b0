/**
 * Warns of `'x' in req.headers['h']` (contract 3): it compares whole header lines, where authors most often mean a part
 * of one. In the table of `expression.ts`.
 */
import type { Node } from "../../cel/tree/node.ts";
import { textLiteral } from "../../cel/tree/parts.ts";
import { written } from "../../cel/tree/written.ts";
import type { ExpressionFinding } from "./finding.ts";
import { lookUpOf } from "./look-up.ts";

/** The finding about one node, if it is such a comparison. */
export function wholeLine(node: Node): readonly ExpressionFinding[] {
	if (node.kind !== "binary" || node.operator !== "@in") return [];
	const { left: element, right: list } = node;
	if (textLiteral(element) === undefined) return [];
	const lookUp = lookUpOf(list);
	if (lookUp?.name === undefined || !lookUp.variable.endsWith(".headers")) return [];
	const literal = written(element);
	const meant = `${written(list)}.exists(v, v.contains(${literal}))`;
	const message = `matches a header line that is exactly ${literal}; for a part of it write ${meant}`;
	return [{ code: "exact_header_match", message }];
}
