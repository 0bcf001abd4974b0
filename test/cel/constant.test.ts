/** A constant passes through the library as it is, as a map without entries. */
import { isCelMap } from "@bufbuild/cel";
import { expect, test } from "vitest";
import { Constant } from "../../src/cel/constant.ts";

test("the library takes a constant for a map", () => {
	const constant = new Constant("a");
	expect([isCelMap(constant), constant.size, constant.value]).toEqual([true, 0, "a"]);
});
