/** Trees know where their nodes were written, how many they are and how deep; macros count as expanded. */
import { expect, test } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";
import { SyntaxTree } from "../../../src/cel/tree/syntax-tree.ts";
import type { Expr } from "../oracle/tree.ts";
import { exprOf, exprsBelow } from "../specification-tree.ts";

test("depth counts the longest way down, whatever the kind of node", () => {
	const tree = new SyntaxTree();
	const leaf = tree.identifier(3, "a");
	const select = tree.select(4, leaf, "b");
	const call = tree.call(5, "f", [leaf], select);
	const list = tree.list(6, [leaf, call]);
	const map = tree.map(7, [{ key: leaf, value: list, isOptional: false }]);
	expect([leaf, select, call, list, map].map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5]);
	expect([leaf, select, call, list, map].map(({ offset }) => offset)).toEqual([3, 4, 5, 6, 7]);
	expect(tree.list(0, []).depth).toBe(1);
	expect(tree.size).toBe(6);
});

const nodes = (expr: Expr): number =>
	1 + exprsBelow(expr).reduce((sum, each) => sum + nodes(each), 0);
const depth = (expr: Expr): number => 1 + Math.max(0, ...exprsBelow(expr).map(depth));

/** One part larger and deeper than the others each time, so that every way down is the longest once. */
const DEEP = "[[[[[[1]]]]]]";
const PARTS: readonly (readonly [string, string, string])[] = [
	["a", "c", "e"],
	[DEEP, "c", "e"],
	["a", DEEP, "e"],
	["a", "c", DEEP],
	["a", "c", "[e]"],
];
type Written = (range: string, condition: string, element: string) => string;

/** With the number of names that are read as nodes but are none in the tree: loop variables, and `cel`. */
const MACROS: readonly (readonly [names: number, written: Written])[] = [
	[1, (range, condition) => `${range}.all(x, ${condition})`],
	[1, (range, condition) => `${range}.exists(x, ${condition})`],
	[2, (range, condition) => `${range}.exists_one(i, v, ${condition})`],
	[1, (range, condition) => `${range}.filter(x, ${condition})`],
	[1, (range, _, element) => `${range}.map(x, ${element})`],
	[1, (range, condition, element) => `${range}.map(x, ${condition}, ${element})`],
	[2, (range, _, element) => `${range}.transformList(i, v, ${element})`],
	[2, (range, condition, element) => `${range}.transformList(i, v, ${condition}, ${element})`],
	[2, (range, _, element) => `${range}.transformMap(i, v, ${element})`],
	[2, (range, condition, element) => `${range}.transformMap(i, v, ${condition}, ${element})`],
	[2, (range, _, element) => `${range}.transformMapEntry(i, v, ${element})`],
	[2, (range, condition, element) => `${range}.transformMapEntry(i, v, ${condition}, ${element})`],
	[1, (range, _, element) => `${range}.sortBy(x, ${element})`],
	[1, (range, _, element) => `${range}.optMap(x, ${element})`],
	[1, (range, _, element) => `${range}.optFlatMap(x, ${element})`],
	[2, (range, _, element) => `cel.bind(x, ${range}, ${element})`],
	[0, (range, _, element) => `${range}.?field == ${element}`],
];

test("a macro has as many nodes and levels as the comprehension that it stands for", () => {
	for (const [names, written] of MACROS) {
		for (const parts of PARTS) {
			const source = written(...parts);
			const parsed = parse(source);
			if (!parsed.ok) throw new Error(`${source}: ${parsed.fault.message}`);
			expect(parsed.tree.size, source).toBe(names + nodes(exprOf(parsed.expr)));
			expect(parsed.expr.depth, source).toBe(depth(exprOf(parsed.expr)));
		}
	}
});
