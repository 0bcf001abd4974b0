/**
 * What the author wrote is found again in what a macro was expanded to, before and after checking; and
 * macros mean what the specification says, for lists and for the keys of maps.
 */
import { expect, test } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";
import { type Macro, macroBody } from "../../../src/cel/tree/macros.ts";
import { type Node, nodeOf, type SyntaxTree } from "../../../src/cel/tree/syntax.ts";
import { checkedTree, shape } from "../checked.ts";
import { resultOf } from "../sources.ts";

function described(tree: SyntaxTree, node: Node): Record<string, string | undefined> {
	const macro = tree.macroOf(node);
	const { case: kind, value } = node.exprKind;
	if (macro === undefined || kind !== "comprehensionExpr") throw new Error("no macro");
	const parts = Object.entries(macroBody(macro, value)).map(([name, part]) => [name, shape(part)]);
	return {
		macro,
		variables: `${value.iterVar} ${value.iterVar2}`.trim(),
		...Object.fromEntries(parts),
	};
}

const CASES: readonly (readonly [string, Macro, Record<string, string>])[] = [
	["[1].all(x, x > x)", "all", { condition: "_>_(x, x)" }],
	["[1].exists(x, x > x)", "exists", { condition: "_>_(x, x)" }],
	["[1].exists_one(x, x > x)", "exists_one", { condition: "_>_(x, x)" }],
	["[1].existsOne(x, x > x)", "exists_one", { condition: "_>_(x, x)" }],
	["[1].filter(x, x > x)", "filter", { condition: "_>_(x, x)", element: "x" }],
	["[1].map(x, x * x)", "map", { element: "_*_(x, x)" }],
	["[1].map(x, x > x, x * x)", "map_filter", { condition: "_>_(x, x)", element: "_*_(x, x)" }],
	["[1].all(i, v, i > v)", "all", { condition: "_>_(i, v)" }],
	["[1].exists(i, v, i > v)", "exists", { condition: "_>_(i, v)" }],
	["[1].exists_one(i, v, i > v)", "exists_one", { condition: "_>_(i, v)" }],
	["[1].transformList(i, v, i * v)", "transform_list", { element: "_*_(i, v)" }],
	[
		"[1].transformList(i, v, i > v, i * v)",
		"transform_list_filter",
		{ condition: "_>_(i, v)", element: "_*_(i, v)" },
	],
	["[1].transformMap(i, v, i * v)", "transform_map", { key: "i", element: "_*_(i, v)" }],
	[
		"[1].transformMap(i, v, i > v, i * v)",
		"transform_map_filter",
		{ condition: "_>_(i, v)", key: "i", element: "_*_(i, v)" },
	],
	["[1].transformMapEntry(i, v, {v: i})", "transform_map_entry", { element: "{v: i}" }],
	[
		"[1].transformMapEntry(i, v, i > v, {v: i})",
		"transform_map_entry_filter",
		{ condition: "_>_(i, v)", element: "{v: i}" },
	],
	["cel.bind(x, [2], x == x)", "bind", { init: '[int64Value "2"]', element: "_==_(x, x)" }],
];

test.each(CASES)("%s is found again", (source, macro, parts) => {
	const variables = macro === "bind" ? "#unused" : /\((i, v|x)/.exec(source)?.[1]?.replace(",", "");
	const expected = { macro, variables, ...parts };
	const parsed = parse(source);
	if (!parsed.ok) throw new Error(parsed.fault.message);
	expect(described(parsed.tree, nodeOf(parsed.expr))).toEqual(expected);
	const { tree, expr } = checkedTree(source);
	expect(described(tree, expr)).toEqual(expected);
});

test("every macro is among them", () => {
	const macros: Record<Macro, true> = {
		all: true,
		exists: true,
		exists_one: true,
		filter: true,
		map: true,
		map_filter: true,
		transform_list: true,
		transform_list_filter: true,
		transform_map: true,
		transform_map_filter: true,
		transform_map_entry: true,
		transform_map_entry_filter: true,
		bind: true,
	};
	expect(new Set(CASES.map(([, macro]) => macro))).toEqual(new Set(Object.keys(macros)));
});

test("what is no comprehension is no macro", () => {
	const { tree, expr } = checkedTree("size([1])");
	expect(tree.macroOf(expr)).toBeUndefined();
});

test.each([
	["[1, 2].all(x, x > 0)", "bool true"],
	["[].all(x, false)", "bool true"],
	["[].exists(x, true)", "bool false"],
	["{'a': 1, 'b': 2}.exists(k, k == 'b')", "bool true"],
	["[1, 2, 2].exists_one(x, x == 2)", "bool false"],
	["[1, 2].existsOne(x, x == 2)", "bool true"],
	["[1, 2, 3].map(x, x > 1, x * 2)", "[int 4, int 6]"],
	["[1, 2, 3].filter(x, x != 2)", "[int 1, int 3]"],
	["[1].map(x, [2].map(y, x + y))", "[[int 3]]"],
	["[1].map(x, [x].map(x, x + 1))", "[[int 2]]"],
	["has({'a': 1}.a) && !has({'a': 1}.b)", "bool true"],
	["[3, 4].transformList(i, v, i > 0, i + v)", "[int 5]"],
	["cel.bind(x, 2, cel.bind(x, x + 1, x * x))", "int 9"],
	["[3, 1, 2].sortBy(x, -x)", "[int 3, int 2, int 1]"],
	["optional.of(1).optMap(x, x + 1).value()", "int 2"],
	["optional.none().optMap(x, x + 1).hasValue()", "bool false"],
	["optional.of(1).optFlatMap(x, optional.of(x + 1)).value()", "int 2"],
	["optional.of(optional.of(1)).optMap(x, x.optMap(y, y + 1).value()).value()", "int 2"],
	["math.greatest(1, 3, 2)", "int 3"],
	["math.least([1.5, 0.5])", "double 0.5"],
])("%s", (source, value) => {
	expect(resultOf(source)).toBe(value);
});
