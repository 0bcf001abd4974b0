/** The functions of contract 4 are declared, all of them callable by name. */
import { expect, test } from "vitest";
import { DECLARATIONS, FUNCTION_NAMES, overloadsFor } from "../../../src/cel/check/declarations.ts";
import { typeOf } from "../checked.ts";

test("the contract's own functions are there", () => {
	const names = [
		..."getReqHeader hasReqHeader getReqCookie hasReqCookie getQueryParam hasQueryParam".split(" "),
		..."getResHeader hasResHeader getResCookie hasResCookie inCidrRange inCidrRanges".split(" "),
		..."rand.double rand.int base64.encode base64.decode hash.sha256 json.decode matches".split(
			" ",
		),
	];
	expect(names.filter((name) => !FUNCTION_NAMES.includes(name))).toEqual([]);
});

test("no signature is declared twice, and operators are no names", () => {
	for (const [name, overloads] of DECLARATIONS) {
		const signatures = overloads.map(({ signature }) => signature);
		expect(new Set(signatures).size, name).toBe(signatures.length);
		expect(signatures.every((signature) => signature.includes(name))).toBe(true);
	}
	expect(FUNCTION_NAMES.filter((name) => !/^[a-zA-Z][\w.]*$/.test(name))).toEqual([]);
});

test("functions and methods are told apart by their signatures", () => {
	expect(DECLARATIONS.get("math.@max")).toHaveLength(15);
	expect(DECLARATIONS.get("@sortByAssociatedKeys")).toHaveLength(8);
	expect(DECLARATIONS.get("optional.of")?.[0]?.isMethod).toBe(false);
	expect(DECLARATIONS.get("unwrapOpt")?.[0]?.isMethod).toBe(true);
	expect(FUNCTION_NAMES.filter((name) => name.includes("@"))).toEqual([]);
});

test("overloads are found by their number of operands", () => {
	for (const [name, overloads] of DECLARATIONS) {
		for (const overload of overloads) {
			const { isMethod, parameters } = overload;
			expect(overloadsFor(name, isMethod, parameters.length)).toContain(overload);
			expect(overloadsFor(name, !isMethod, parameters.length)).not.toContain(overload);
		}
	}
	expect(overloadsFor("size", false, 2)).toEqual([]);
	expect(overloadsFor("nothing", false, 1)).toEqual([]);
});

test.each([
	["math.ceil(1.5)", "double"],
	["math.isNaN(dyn(1))", "bool"],
	["math.sign(1u)", "uint"],
	["math.sqrt(4)", "double"],
	["math.bitShiftLeft(1u, 2)", "uint"],
	["math.bitAnd(1, 2u)", "expression_type"],
	["math.greatest([1.5])", "double"],
	["math.greatest([1, 2u])", "dyn"],
	["math.least(dyn(1))", "dyn"],
	["[1, 2].slice(0, 1)", "list<int>"],
	["[[1]].flatten()", "list<int>"],
	["[1, [2]].flatten()", "list<dyn>"],
	["[1].flatten()", "expression_type"],
	["[1].flatten(1)", "list<dyn>"],
	["['b'].sort()", "list<string>"],
	["[[1]].sort()", "expression_type"],
	["[1, 1].distinct().reverse()", "list<int>"],
	["'ab'.reverse()", "string"],
	["lists.range(3)", "list<int>"],
	["[1].first()", "optional<int>"],
	["[].last()", "optional<dyn>"],
	["sets.contains([1], [1u])", "expression_type"],
	["sets.intersects([1], [dyn('a')])", "bool"],
	["[optional.of(1)].unwrapOpt()", "list<int>"],
	["optional.unwrap([optional.none(), optional.of('a')])", "list<string>"],
	["optional.of(1).or(optional.of('a'))", "expression_type"],
	["optional.ofNonZeroValue('').orValue('a')", "string"],
	["strings.quote('a')", "string"],
])("%s is %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});
