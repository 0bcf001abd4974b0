/**
 * Which calls are macros, what the parser makes of them, and that this stands for the comprehensions of the
 * specification: `shapeOf` expands macros as it says.
 */
import { expect, test } from "vitest";
import { MACRO_FORMS, MACRO_USAGE } from "../../../src/cel/parse/macros.ts";
import { parse } from "../../../src/cel/parse/parse.ts";
import type { Node } from "../../../src/cel/tree/node.ts";
import { checkedTree, shapeOf } from "../checked.ts";

function parsedTree(source: string): Node {
	const parsed = parse(source);
	if (!parsed.ok) throw new Error(parsed.fault.message);
	return parsed.expr;
}

const treeOf = (source: string): string => shapeOf(parsedTree(source));

/** What the author wrote between the brackets, by the names of the node's parts. */
function partsOf(node: Node): Record<string, string> {
	const parts: Record<string, string> = {};
	for (const [name, part] of Object.entries(node)) {
		if (["condition", "element", "key", "value", "body"].includes(name) && part !== undefined) {
			parts[name] = shapeOf(part);
		}
	}
	if ("macro" in node) parts.macro = node.macro;
	if ("variables" in node) parts.variables = node.variables.filter((each) => each).join(" ");
	if ("range" in node) parts.range = shapeOf(node.range);
	if (node.kind === "bind") parts.variables = node.variable;
	return parts;
}

const RANGE = '[int64Value "1"]';
const TWO = { range: RANGE, variables: "i v" };
const ONE = { range: RANGE, variables: "x" };
const CONDITION = { condition: "_>_(x, x)" };
const OF_TWO = { condition: "_>_(i, v)" };

test.each([
	["[1].all(x, x > x)", { macro: "all", ...ONE, ...CONDITION }],
	["[1].exists(x, x > x)", { macro: "exists", ...ONE, ...CONDITION }],
	["[1].exists_one(x, x > x)", { macro: "exists_one", ...ONE, ...CONDITION }],
	["[1].existsOne(x, x > x)", { macro: "exists_one", ...ONE, ...CONDITION }],
	["[1].filter(x, x > x)", { macro: "filter", ...ONE, ...CONDITION, element: "x" }],
	["[1].map(x, x * x)", { macro: "map", ...ONE, element: "_*_(x, x)" }],
	["[1].map(x, x > x, x * x)", { macro: "map", ...ONE, ...CONDITION, element: "_*_(x, x)" }],
	["[1].all(i, v, i > v)", { macro: "all", ...TWO, ...OF_TWO }],
	["[1].exists(i, v, i > v)", { macro: "exists", ...TWO, ...OF_TWO }],
	["[1].exists_one(i, v, i > v)", { macro: "exists_one", ...TWO, ...OF_TWO }],
	["[1].transformList(i, v, i * v)", { macro: "transform_list", ...TWO, element: "_*_(i, v)" }],
	[
		"[1].transformList(i, v, i > v, i * v)",
		{ macro: "transform_list", ...TWO, ...OF_TWO, element: "_*_(i, v)" },
	],
	[
		"[1].transformMap(i, v, i * v)",
		{ macro: "transform_map", ...TWO, key: "i", element: "_*_(i, v)" },
	],
	[
		"[1].transformMap(i, v, i > v, i * v)",
		{ macro: "transform_map", ...TWO, ...OF_TWO, key: "i", element: "_*_(i, v)" },
	],
	[
		"[1].transformMapEntry(i, v, {v: i})",
		{ macro: "transform_map_entry", ...TWO, element: "{v: i}" },
	],
	[
		"[1].transformMapEntry(i, v, i > v, {v: i})",
		{ macro: "transform_map_entry", ...TWO, ...OF_TWO, element: "{v: i}" },
	],
	["cel.bind(x, [2], x == x)", { variables: "x", value: '[int64Value "2"]', body: "_==_(x, x)" }],
])("%s keeps what was written, before and after checking", (source, parts) => {
	expect(partsOf(parsedTree(source))).toEqual(parts);
	expect(partsOf(checkedTree(source).expr)).toEqual(parts);
});

const always = 'boolValue "true"';

test.each([
	[
		"all(x, c)",
		'x in a, @result = boolValue "true"; @not_strictly_false(@result); _&&_(@result, c); @result',
	],
	[
		"exists(x, c)",
		'x in a, @result = boolValue "false"; @not_strictly_false(!_(@result)); _||_(@result, c); @result',
	],
	[
		"exists_one(x, c)",
		`x in a, @result = int64Value "0"; ${always}; _?_:_(c, _+_(@result, int64Value "1"), @result); _==_(@result, int64Value "1")`,
	],
	[
		"filter(x, c)",
		`x in a, @result = []; ${always}; _?_:_(c, _+_(@result, [x]), @result); @result`,
	],
	["map(x, e)", `x in a, @result = []; ${always}; _+_(@result, [e]); @result`],
	[
		"map(x, c, e)",
		`x in a, @result = []; ${always}; _?_:_(c, _+_(@result, [e]), @result); @result`,
	],
	[
		"all(i, v, c)",
		'i, v in a, @result = boolValue "true"; @not_strictly_false(@result); _&&_(@result, c); @result',
	],
	["transformList(i, v, e)", `i, v in a, @result = []; ${always}; _+_(@result, [e]); @result`],
	[
		"transformList(i, v, c, e)",
		`i, v in a, @result = []; ${always}; _?_:_(c, _+_(@result, [e]), @result); @result`,
	],
	[
		"transformMap(k, v, e)",
		`k, v in a, @result = {}; ${always}; cel.@mapInsert(@result, k, e); @result`,
	],
	[
		"transformMap(k, v, c, e)",
		`k, v in a, @result = {}; ${always}; _?_:_(c, cel.@mapInsert(@result, k, e), @result); @result`,
	],
	[
		"transformMapEntry(k, v, m)",
		`k, v in a, @result = {}; ${always}; cel.@mapInsert(@result, m); @result`,
	],
	[
		"transformMapEntry(k, v, c, m)",
		`k, v in a, @result = {}; ${always}; _?_:_(c, cel.@mapInsert(@result, m), @result); @result`,
	],
])("a.%s", (call, fold) => {
	expect(treeOf(`a.${call}`)).toBe(`fold ${fold}`);
});

test("cel.bind is a loop that never runs", () => {
	expect(treeOf("cel.bind(x, a, e)")).toBe('fold #unused in [], x = a; boolValue "false"; x; e');
});

test("a value is looked at once, whatever is done with it", () => {
	expect(treeOf("a.optMap(x, f(x))")).toBe(
		'fold #unused in [], @optional = a; boolValue "false"; @optional; ' +
			"_?_:_(@optional.hasValue(), optional.of(fold #unused in [], x = @optional.value(); " +
			'boolValue "false"; x; f(x)), optional.none())',
	);
	expect(treeOf("a.sortBy(x, f(x))")).toBe(
		'fold #unused in [], @list = a; boolValue "false"; @list; @list.@sortByAssociatedKeys(' +
			'fold x in @list, @result = []; boolValue "true"; _+_(@result, [f(x)]); @result)',
	);
});

test.each([
	["math.greatest(a)", "math.@max(a)"],
	["math.least(a, b)", "math.@min(a, b)"],
	["math.least(a, b, c)", "math.@min([a, b, c])"],
])("%s is %s", (source, tree) => {
	expect(treeOf(source)).toBe(tree);
});

test("the forms of a macro differ in their number of arguments, and all tell how they are written", () => {
	for (const [name, forms] of MACRO_FORMS) {
		const counts = forms.map(({ variables, expressions }) => variables + expressions);
		expect(new Set(counts).size, name).toBe(forms.length);
		expect(MACRO_USAGE.get(name)).toContain(`.${name}(`);
	}
});

test("with other numbers of arguments they are calls, which the checker judges", () => {
	expect(treeOf("a.map(x)")).toBe("a.map(x)");
	expect(treeOf("a.filter(x, y, z)")).toBe("a.filter(x, y, z)");
	expect(treeOf("map(a, x, x)")).toBe("map(a, x, x)");
});

test("loop variables are names of their own", () => {
	const refused = (source: string): string => {
		const parsed = parse(source);
		return parsed.ok ? "" : `${parsed.fault.offset}: ${parsed.fault.message}`;
	};
	expect(refused("a.map(1, x)")).toMatch(
		/^6: the first argument of map\(\) names the loop variable/,
	);
	expect(refused("a.all(i, .v, x)")).toMatch(/^9: the second argument of all\(\)/);
	expect(refused("a.all(i, i, x)")).toBe('9: both loop variables of all() are called "i"');
	expect(refused("cel.bind(1, 2, 3)")).toMatch(/^9: the first argument of cel.bind\(\)/);
});
