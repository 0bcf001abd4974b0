/** Sizes of single values, and what it takes to look through them. */
import { expect, it } from "vitest";
import { largest } from "../../../src/cel/cost/bound.ts";
import { countOf, walkCost } from "../../../src/cel/cost/part.ts";
import { sized, texts, tree } from "../../../src/cel/cost/size.ts";
import { AS_JSON, KEY_CHARACTER } from "../../../src/cel/cost/table.ts";

/** Ten texts with 100 characters together. */
const LIST = sized(10, texts(50, 100));

it("counts what is in one value", () => {
	expect(largest(countOf(LIST))).toBe(10);
	expect(largest(countOf(texts(50, 20)))).toBe(20);
	expect(countOf(undefined)).toBe(0);
});

it("looking through a value takes time for elements and for characters", () => {
	expect(walkCost(LIST, { element: 10, character: 1 })).toBe(10 * 10 + 100);
	expect(walkCost(tree(50, 50), { element: 10, character: 1 })).toBe(50 * (11 + 3 * KEY_CHARACTER));
	expect(walkCost(undefined, AS_JSON)).toBe(0);
});
