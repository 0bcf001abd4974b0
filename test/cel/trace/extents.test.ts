/** Each node is found in the source, with its brackets and without those around it. */
import { describe, expect, it } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";
import { Extents } from "../../../src/cel/trace/extents.ts";
import type { Node } from "../../../src/cel/tree/node.ts";
import { childrenOf } from "../../../src/cel/tree/parts.ts";

function texts(source: string): readonly string[] {
	const parsed = parse(source);
	if (!parsed.ok) throw new Error(parsed.fault.message);
	const extents = new Extents(source);
	const walk = (node: Node): string[] => {
		const { from, to } = extents.of(node);
		return [source.slice(from, to), ...childrenOf(node).flatMap(walk)];
	};
	return walk(parsed.expr);
}

describe("the piece of source of a node", () => {
	it.each<[source: string, parts: readonly string[]]>([
		["(a + 1) * -2", ["(a + 1) * -2", "a + 1", "a", "1", "-2"]],
		["f(x, [1, y])", ["f(x, [1, y])", "x", "[1, y]", "1", "y"]],
		["a.b[(c)].d()", ["a.b[(c)].d()", "a.b[(c)]", "a.b", "a", "c"]],
		[
			"has(a.b) ? {'k': v} : (w)",
			["has(a.b) ? {'k': v} : (w)", "has(a.b)", "a", "{'k': v}", "'k'", "v", "w"],
		],
		[" !( a || ')' == b ) ", ["!( a || ')' == b )", "a || ')' == b", "a", "')' == b", "')'", "b"]],
		["cel.bind(v, a, v + 1)", ["cel.bind(v, a, v + 1)", "a", "v + 1", "v", "1"]],
		["l.exists(x, x in m)", ["l.exists(x, x in m)", "l", "x in m", "x", "m"]],
	])("%s", (source, parts) => {
		expect(texts(source)).toEqual(parts);
	});
});
