/**
 * Warns of `'x' in req.headers['h']` (contract 3): it compares whole header lines, where authors most often mean a part
 * of one. In the table of `expression.ts`.
 */
import { callOf, textLiteral } from "../../cel/lower/nodes.ts";
import { type Node, nodeOf } from "../../cel/tree/syntax.ts";
import { written } from "../../cel/tree/written.ts";
import type { ExpressionFinding } from "./finding.ts";
import { lookUpOf } from "./look-up.ts";

/** The finding about one node, if it is such a comparison. */
export function wholeLine(node: Node): readonly ExpressionFinding[] {
	const call = callOf(node);
	const [element, list] = call?.function === "@in" ? call.args.map(nodeOf) : [];
	if (element === undefined || list === undefined || textLiteral(element) === undefined) return [];
	const lookUp = lookUpOf(list);
	if (lookUp?.name === undefined || !lookUp.variable.endsWith(".headers")) return [];
	const literal = written(element);
	const meant = `${written(list)}.exists(v, v.contains(${literal}))`;
	const message = `matches a header line that is exactly ${literal}; for a part of it write ${meant}`;
	return [{ code: "exact_header_match", message }];
}
