/** Characters and units lead to each other. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	bounded,
	characterAt,
	index,
	lengthOf,
	unitAt,
} from "../../../src/cel/functions/characters.ts";
import { LIMITS } from "../../../src/limits.ts";

test("property: positions agree with the text taken apart", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom("a", "é", "😀")), fc.nat(), (characters, seed) => {
			const text = characters.join("");
			const at = seed % (characters.length + 1);
			const unit = characters.slice(0, at).join("").length;
			expect(lengthOf(text)).toBe(characters.length);
			expect(unitAt(text, at)).toBe(unit);
			expect(characterAt(text, unit)).toBe(at);
		}),
	);
});

test("indices and lengths are bounded", () => {
	expect(index("ab", 2n)).toBe(2);
	expect(() => index("ab", 3n)).toThrow("outside");
	expect(() => index("ab", -1n)).toThrow("outside");
	expect(() => bounded(LIMITS.evaluationTextCharacters + 1)).toThrow("characters");
});
