/** The extensions' functions are declared, each with the types of the reference implementation. */
import { expect, test } from "vitest";
import { DECLARATIONS, FUNCTION_NAMES, overloadsFor } from "../../../src/cel/check/declarations.ts";
import { EXTENSIONS } from "../../../src/cel/check/extensions.ts";
import { typeOf } from "../checked.ts";

test("every signature is in the table, under the name that it is called by", () => {
	const declared = new Set([...DECLARATIONS.values()].flat().map(({ signature }) => signature));
	expect(EXTENSIONS.filter((signature) => !declared.has(signature))).toEqual([]);
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
