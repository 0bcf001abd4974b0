/** Macros mean what the specification says, for lists and for the keys of maps. */
import { expect, test } from "vitest";
import { resultOf } from "./sources.ts";

test.each([
	["[1, 2].all(x, x > 0)", "bool true"],
	["[].all(x, false)", "bool true"],
	["[].exists(x, true)", "bool false"],
	["{'a': 1, 'b': 2}.exists(k, k == 'b')", "bool true"],
	["[1, 2, 2].exists_one(x, x == 2)", "bool false"],
	["[1, 2].existsOne(x, x == 2)", "bool true"],
	["[0, 1].exists_one(x, 1 / x == 1)", "failure: int divide by zero"],
	["[1, 2, 3].map(x, x > 1, x * 2)", "[int 4, int 6]"],
	["[1, 2, 3].filter(x, x != 2)", "[int 1, int 3]"],
	["[1].map(x, [2].map(y, x + y))", "[[int 3]]"],
	["[1].map(x, [x].map(x, x + 1))", "[[int 2]]"],
	["has({'a': 1}.a) && !has({'a': 1}.b)", "bool true"],
])("%s", (source, value) => {
	expect(resultOf(source)).toBe(value);
});
