/** Types of literals, selections and macros, and what of them is refused. */
import { expect, test } from "vitest";
import { faultsOf, typeOf } from "../checked.ts";

test.each([
	["[1, 2]", "list<int>"],
	["[1, 'a']", "list<dyn>"],
	["[[], [1]]", "list<list<int>>"],
	["[]", "list<dyn>"],
	["{'a': 1, 'b': 2}", "map<string, int>"],
	["{'a': 1, 2: 'b'}", "map<dyn, dyn>"],
	["[1].map(x, string(x))", "list<string>"],
	["{'a': 1}.map(k, k)", "list<string>"],
	["[1].filter(x, x > 0)", "list<int>"],
	["[1].exists_one(x, x > 0)", "bool"],
	["dyn([1]).map(x, x)", "list<dyn>"],
	["true ? 1 : dyn('a')", "dyn"],
	["true ? timestamp(0) : null", "timestamp"],
	["{1.5: 1}", "expression_type"],
	["1.map(x, x)", "expression_type"],
	["[1].all(x, x)", "expression_type"],
	["[1].filter(x, 'a')", "expression_type"],
])("%s is %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});

test("one mistake is one fault, however far it reaches; two are two", () => {
	expect(faultsOf("nope_nope.all(x, x.y + 1 == size(x)) && !nope_nope")).toHaveLength(2);
	expect(faultsOf("[nope_nope, 1].exists(x, x + 'a' == 1)")).toHaveLength(1);
	expect(faultsOf("1 + 'a' == 2 && 'b' + 1 == 3")).toHaveLength(2);
});
