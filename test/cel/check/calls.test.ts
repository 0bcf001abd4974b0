/** Calls: overloads, functions in namespaces, and those that the checker replaces. */
import { expect, test } from "vitest";
import { faultsOf, resultOf, typeOf } from "../checked.ts";

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
	["cel.bind(x, 1, x)", "unknown_function"],
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

test("patterns and ranges are judged where they are written", () => {
	expect(faultsOf("req.method.matches('a') && matches(req.method, '(')")).toHaveLength(1);
	expect(faultsOf("inCidrRange('1.2.3.4', conn.client_ip)")).toEqual([]);
	expect(resultOf("inCidrRange('1.2.3.4', conn.client_ip)")).toBe(
		"failure: not the text of an address range",
	);
	const many = Array.from({ length: 30 }, (_, at) => `req.method.matches('a{${700 + at}}')`);
	expect(faultsOf(many.join(" || "))[0]).toContain("the patterns of the expression are too large");
});

test("the pattern of each call is its own", () => {
	expect(resultOf("['a', 'b'].map(x, x.matches('a') && !x.matches('b'))")).toBe(
		"[bool true, bool false]",
	);
});
