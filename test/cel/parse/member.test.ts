/** Literals, names, calls and what stands behind them; macros where they are not written right. */
import { expect, test } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";
import { faultsOf, shapeOf } from "../checked.ts";

function treeOf(source: string): string {
	const parsed = parse(source);
	return parsed.ok ? shapeOf(parsed.expr) : `${parsed.fault.offset}: ${parsed.fault.message}`;
}

test.each([
	["-9223372036854775808", 'int64Value "-9223372036854775808"'],
	["- 1", '-_(int64Value "1")'],
	["-1.5", 'doubleValue "-1.5"'],
	["-1u", '-_(uint64Value "1")'],
	["-1.size()", 'int64Value "-1".size()'],
	["--1", '-_(int64Value "-1")'],
	["0x7fffffffffffffff", 'int64Value "9223372036854775807"'],
	["[1, 2,]", '[int64Value "1", int64Value "2"]'],
	["{1: 2,}", '{int64Value "1": int64Value "2"}'],
	["{}.a.b[0]", '_[_]((({}.a).b), int64Value "0")'],
	["{}.`b-c`", "({}.b-c)"],
	["a.if", "(a.if)"],
	["'a'.size()", 'stringValue "a".size()'],
	["b'a'", "bytesValue 97"],
	["null", 'nullValue "0"'],
	[".size('a')", '.size(stringValue "a")'],
	["has(a.b)", "(has a.b)"],
	["a.?b.c", '(_?._(a, stringValue "b").c)'],
	["a.?`b-c`", '_?._(a, stringValue "b-c")'],
	["a[?b][c]", "_[_](_[?_](a, b), c)"],
	["[?a, b, ?c,]", "[?a, b, ?c]"],
	["{?a: b, c: d}", "{?a: b, c: d}"],
	["a ? [?b] : .c", "_?_:_(a, [?b], .c)"],
	["cel.bind(x, 1)", 'cel.bind(x, int64Value "1")'],
	["b.bind(x, 1, x)", 'b.bind(x, int64Value "1", x)'],
	["math.greatest()", "math.greatest()"],
	["a.greatest(1)", 'a.greatest(int64Value "1")'],
])("%s", (source, tree) => {
	expect(treeOf(source)).toBe(tree);
});

test.each([
	["a.true", '2: "true" is a keyword and cannot be a name'],
	["has(a)", "0: has() takes one field selection, as in has(req.headers.accept)"],
	["has(a.b, a.c)", "0: has() takes one field selection, as in has(req.headers.accept)"],
	["[1].map(1, 2)", "8: the first argument of map() names the loop variable, as in list.map(x, …)"],
	["9223372036854775808", "0: 9223372036854775808 does not fit into an int"],
	[
		"[1].transformMap(k, 2, 3)",
		"20: the second argument of transformMap() names the loop variable, as in list.transformMap(i, v, …)",
	],
	["[1].all(i, i, true)", '11: both loop variables of all() are called "i"'],
	[
		"[1].all(.i, true)",
		"8: the first argument of all() names the loop variable, as in list.all(x, …)",
	],
	[
		"cel.bind(a.b, 1, 2)",
		"11: the first argument of cel.bind() names the variable, as in cel.bind(x, …, …)",
	],
	["a.?true", '3: "true" is a keyword and cannot be a name'],
	["has(a.?b)", "0: has() takes one field selection, as in has(req.headers.accept)"],
	["{?}", '2: unexpected "}", where a value should be'],
	["not a", '0: unexpected "not"; "not" is written "!"'],
])("%s", (source, fault) => {
	expect(faultsOf(source)).toEqual([fault]);
});
