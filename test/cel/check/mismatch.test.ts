/** The words for calls that fit no overload. */
import { expect, test } from "vitest";
import { faultsOf } from "../checked.ts";

test.each([
	["1 == 'a'", "cannot compare int with string"],
	["1 + 'a'", 'operator "+" does not take int and string'],
	["-'a'", 'operator "-" does not take string'],
	["true && 1", 'operator "&&" does not take bool and int'],
	["1 ? 2 : 3", "the condition of ?: must be bool, not int"],
	["true ? 2 : 'a'", "both outcomes of ?: must have one type, not int and string"],
	["[1]['a']", "a list is indexed with an int, not with string"],
	["{'a': 1}[1]", "map<string, int> cannot be indexed with int"],
	["'a'[0]", "string cannot be indexed; only lists and maps can"],
	["1 in ['a']", "cannot look for int in list<string>"],
	["1 in 'a'", '"in" looks into a list or a map, not into string; for texts there is .contains()'],
	["'a'.contains(1)", "string.contains(int) does not exist; there is string.contains(string)"],
	[
		"int([1])",
		"int(list<int>) does not exist; there is int(int), int(uint), int(double), int(string) …",
	],
])("%s", (source, message) => {
	expect(faultsOf(source).map((fault) => fault.replace(/^\d+: /, ""))).toEqual([message]);
});
