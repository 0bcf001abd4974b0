/** Literals, names, calls and what stands behind them. */
import { expect, test } from "vitest";
import { faultsOf, resultOf } from "../checked.ts";

test.each([
	["-9223372036854775808", "int -9223372036854775808"],
	["0x7fffffffffffffff", "int 9223372036854775807"],
	["-0x1", "int -1"],
	["[1, 2,][1]", "int 2"],
	["{'a': {'b': [1]}}.a.b[0]", "int 1"],
	["{'b-c': 1}.`b-c`", "int 1"],
	["{'if': 1}.if", "int 1"],
	["(1).size == 1", 'refused: int has no field "size"; only maps and records have fields'],
	["'a'.size()", "int 1"],
	["b'a'.size()", "int 1"],
	["null == null", "bool true"],
	[".size('a')", "int 1"],
])("%s", (source, value) => {
	expect(resultOf(source)).toBe(value);
});

test.each([
	["a.true", '2: "true" is a keyword and cannot be a name'],
	["has(a)", "0: has() takes one field selection, as in has(req.headers.accept)"],
	["has(a.b, a.c)", "0: has() takes one field selection, as in has(req.headers.accept)"],
	["[1].map(1, 2)", "8: the first argument of map() names the loop variable, as in list.map(x, …)"],
	["9223372036854775808", "0: 9223372036854775808 does not fit into an int"],
	["not a", '0: unexpected "not"; "not" is written "!"'],
])("%s", (source, fault) => {
	expect(faultsOf(source)).toEqual([fault]);
});
