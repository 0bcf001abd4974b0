/** Which overloads a call is left with, by what is known of its operands. */
import { expect, test } from "vitest";
import { checkedTree, overloadsOf, typeOf } from "../checked.ts";

const signatures = (source: string): readonly string[] => {
	const { expr } = checkedTree(source);
	return overloadsOf(expr).map(({ signature }) => signature);
};

test.each([
	["1 + 2", ["_+_(int, int) -> int"]],
	["dyn(1) + 2", ["_+_(int, int) -> int"]],
	["[1] + [2]", ["_+_(list<A>, list<A>) -> list<A>"]],
	["timestamp(0) - timestamp(0)", ["_-_(timestamp, timestamp) -> duration"]],
	[
		"size(dyn(1))",
		["string", "bytes", "list<A>", "map<A, B>"].map((type) => `size(${type}) -> int`),
	],
	["{'a': 1}['a']", ["_[_](map<A, B>, A) -> B"]],
	[
		"dyn(1)[0]",
		[
			"_[_](list<A>, int) -> A",
			"_[_](map<A, B>, A) -> B",
			"_[_](optional<list<A>>, int) -> optional<A>",
			"_[_](optional<map<A, B>>, A) -> optional<B>",
		],
	],
	["1 == 2", ["_==_(A, A) -> bool"]],
	["true || false", ["_||_(bool, bool) -> bool"]],
	["null == timestamp(0)", ["_==_(A, A) -> bool"]],
	["{'a': 1}.?a", []],
])("%s", (source, expected) => {
	expect(signatures(source)).toEqual(expected);
});

test.each([
	["dyn(1) + dyn(2)", "dyn"],
	["dyn(1)[0]", "dyn"],
	["size(dyn(1))", "int"],
	["dyn([1]).sort()", "dyn"],
	["[1].sortBy(x, dyn(x))", "list<int>"],
])("%s: those that differ in what they yield, yield %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});

test("an overload that does not fit leaves nothing bound", () => {
	// (A, list<A>) binds A to string before it fails; then the map's A is still free
	expect(typeOf("[[]].all(m, 'a' in {'b': m})")).toBe("bool");
	expect(typeOf("[].all(x, x == 1 && x + 1 == 2)")).toBe("bool");
	expect(typeOf("[].all(x, x == 1 && x + 'a' == '')")).toBe("expression_type");
});
