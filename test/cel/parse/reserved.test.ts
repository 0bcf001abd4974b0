/** Reserved words cannot be variables or functions, but fields. */
import { expect, test } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";
import { isReserved } from "../../../src/cel/parse/reserved.ts";

test.each(["if", "for", "null", "in", "namespace", "while"])("%s is reserved", (word) => {
	expect(isReserved(word)).toBe(true);
	expect(parse(`${word}(1)`).ok).toBe(false);
	expect(parse(`a.${word}`).ok).toBe(!["null", "in"].includes(word));
});

test("other words are not", () => {
	expect(["iff", "If", "size", "_", "constructor"].filter(isReserved)).toEqual([]);
});
