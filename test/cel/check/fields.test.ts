/** Fields of what has some, and what is said of what hasn't. */
import { expect, test } from "vitest";
import { faultsOf, typeOf } from "../checked.ts";

test.each([
	["{'a': 1}.a", "int"],
	["has({'a': 1}.a)", "bool"],
	["getReqCookie('a').name", "string"],
	["has(getReqCookie('a').name)", "bool"],
	["optional.of({'a': 1}).a", "optional<int>"],
	["has(optional.of({'a': 1}).a)", "bool"],
	["optional.of(getReqCookie('a')).value", "optional<string>"],
	["optional.of(dyn(1)).a", "optional<dyn>"],
	["dyn(1).a", "dyn"],
	["[][0].a", "dyn"],
	["{}.a", "dyn"],
])("%s is %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});

test.each([
	["getReqCookie('a').nam", '18: a cookie has no field "nam"; did you mean "name"?'],
	["{1: 1}.a", "7: the keys of map<int, int> are no strings; write […] instead of .a"],
	["(1).a", '4: int has no field "a"; only maps and records have fields'],
	["optional.of(1).a", '15: int has no field "a"; only maps and records have fields'],
	["has([1].a)", '0: list<int> has no field "a"; only maps and records have fields'],
])("%s", (source, fault) => {
	expect(faultsOf(source)).toEqual([fault]);
});
