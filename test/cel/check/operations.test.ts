/** Operators have the types of their overloads, or are refused with a sentence of their own. */
import { expect, test } from "vitest";
import { checkedTree, faultsOf, overloadsOf, typeOf } from "../checked.ts";

test.each([
	["!true", "bool"],
	["-1.5", "double"],
	["req.content_length + 1", "int"],
	["time.now - time.now", "duration"],
	["dyn(1) + dyn(1)", "dyn"],
	["true ? 1 : 2", "int"],
	["true ? 1 : dyn('a')", "dyn"],
	["[1][?0]", "optional<int>"],
	["'a' in ['a']", "bool"],
])("%s is %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});

test.each([
	["!1", '0: operator "!" does not take int'],
	["1 + 'a'", '2: operator "+" does not take int and string'],
	["1 ? 2 : 3", "2: the condition of ?: must be bool, not int"],
	["true ? 1 : 'a'", "5: both outcomes of ?: must have one type, not int and string"],
	["req.content_length == '5'", "19: cannot compare int with string; write 5 without quotes"],
	[
		"optional.of(1).optFlatMap(x, x)",
		"15: the expression of optFlatMap() yields an optional, not int",
	],
])("%s is refused", (source, fault) => {
	expect(faultsOf(source)).toEqual([fault]);
});

test("operands that were refused are not judged again", () => {
	expect(faultsOf("!nope && nope + 1 == 2 ? nope : 1")).toHaveLength(3);
});

test("the overloads that fit are kept", () => {
	const signatures = (source: string) =>
		overloadsOf(checkedTree(source).expr).map(({ signature }) => signature);
	expect(signatures("1 < 2")).toEqual(["_<_(int, int) -> bool"]);
	expect(signatures("dyn(1) < 2").length).toBeGreaterThan(1);
	expect(signatures("-dyn(1)")).toEqual(["-_(int) -> int", "-_(double) -> double"]);
});
