/** Calls: overloads, functions in namespaces, and those that the checker replaces. */
import { expect, test } from "vitest";
import { checkedTree, faultsOf, overloadsOf, shapeOf, typeOf } from "../checked.ts";

test.each([
	["dyn(1) + 1", "int"],
	["dyn(1) + dyn(2)", "dyn"],
	["dyn([1])[0]", "dyn"],
	["1 < 2u", "bool"],
	["[1][0]", "int"],
	["timestamp(0) - timestamp(0)", "duration"],
	["base64.encode('a')", "string"],
	["getReqCookie('a')", "cookie"],
	["base64.encod('a')", "unknown_function"],
	["req.method.foo()", "unknown_function"],
	["size(1)", "expression_type"],
	["size()", "expression_type"],
	["'a'.size(1)", "expression_type"],
	["startsWith('a', 'b')", "expression_type"],
	["'a'.getReqHeader()", "expression_type"],
	["[1].map(x)", "expression_type"],
	["cel.bind(x, 1)", "expression_type"],
	["math.greatest()", "expression_type"],
	["math.greatest('a')", "expression_type"],
	["optional.of(1)", "optional<int>"],
	["optional.none()", "optional<dyn>"],
	["optional.none().orValue(1)", "int"],
	["{'a': 1}.?a", "optional<int>"],
	["{'a': {'b': 1}}.?a.b", "optional<int>"],
	["{'a': {'b': 1}}.?a.?b", "optional<int>"],
	["{'a': [1]}.?a[0]", "optional<int>"],
	["[1][?0]", "optional<int>"],
	["req.headers[?'a']", "optional<list<string>>"],
	["dyn(1).?a", "optional<dyn>"],
	["1.?a", "expression_type"],
	["{1: 2}.?a", "expression_type"],
	["math.abs(-1)", "int"],
	["math.greatest(1, 2.0)", "dyn"],
	["math.greatest(1, 2, 3)", "int"],
	["[1].map(math, math.abs(1))", "unknown_function"],
])("%s is %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});

test("no name of the checker's own can be called", () => {
	for (const source of ["@step(true)", "_[_]([1], 0)", "[1].@in(1)"]) {
		expect(typeOf(source)).toBe("expression_syntax");
	}
	expect(typeOf("constructor(1)")).toBe("unknown_function");
	expect(typeOf("'a'.__proto__()")).toBe("unknown_function");
});

test.each([
	["math.abs(1)", 'math.abs(int64Value "1")'],
	["'a'.size()", 'stringValue "a".size()'],
	[".size('a')", 'size(stringValue "a")'],
	["'a'.matches('b')", 'stringValue "a".matches(stringValue "b")'],
])("%s is called by its whole name, methods keep their target", (source, tree) => {
	const { expr } = checkedTree(source);
	expect(shapeOf(expr)).toBe(tree);
	expect(overloadsOf(expr)).toHaveLength(1);
});

test.each([
	["zzzzzz(1)", '0: unknown function "zzzzzz"'],
	["ceil(1.5)", '0: unknown function "ceil"; did you mean "math.ceil"?'],
	["math.cel(1.5)", '5: unknown function "math.cel"; did you mean "math.ceil"?'],
	["optional.nome()", '9: unknown function "optional.nome"; did you mean "optional.none"?'],
	["[1].sorted()", '4: unknown function "sorted"; did you mean "sort"?'],
	["[1].transformlist(i, v, v)", /did you mean "transformList"\?$/],
	["bind(a, 1, 2)", /^0: unknown function "bind"; did you mean "cel.bind"\?$/],
	[
		"[1].transformMap(x, x)",
		"4: transformMap() takes two loop variables and an expression, as in list.transformMap(i, v, …); got 2 arguments",
	],
	[
		"cel.bind(x, 2)",
		"4: cel.bind() takes a variable, its value and an expression, as in cel.bind(x, …, …); got 2 arguments",
	],
	[
		"math.least()",
		"5: math.least() takes at least one number, as in math.least(1, x); got 0 arguments",
	],
])("%s is answered with a hint", (source, message) => {
	const [first = ""] = faultsOf(source);
	if (typeof message === "string") expect(first).toBe(message);
	else expect(first).toMatch(message);
});
