/** Characters and units, held against arrays of code points. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	characterAt,
	checkedUnit,
	isPlain,
	LATIN_NS,
	lengthOf,
	wellFormed,
} from "../../../src/cel/library/characters.ts";
import { charged, outcome } from "./calls.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "𝒳") });

test("property: every character has its unit and every unit its character", () => {
	fc.assert(
		fc.property(text, (subject) => {
			const characters = [...subject];
			expect(lengthOf(subject)).toBe(characters.length);
			expect(isPlain(subject)).toBe(characters.length === subject.length);
			for (let index = 0; index <= characters.length; index++) {
				const unit = characters.slice(0, index).join("").length;
				expect(checkedUnit(subject, index)).toBe(unit);
				expect(characterAt(subject, unit)).toBe(index);
			}
		}),
	);
});

test("an index beyond the text is a failure that says how long the text is", () => {
	expect(outcome(() => checkedUnit("ab", 3))).toBe(
		"failure: index 3 is outside of the text's 2 characters",
	);
	expect(outcome(() => checkedUnit("😀", -1))).toBe(
		"failure: index -1 is outside of the text's 1 character",
	);
});

test("halves of characters become U+FFFD, whole ones stay", () => {
	expect(wellFormed("a😀")).toBe("a😀");
	expect(wellFormed("a\ud83d😀\ude00")).toBe("a\ufffd😀\ufffd");
});

test("texts whose characters are all of one unit are charged a look, others more", () => {
	expect(charged(() => checkedUnit("a".repeat(10_000), 5000))).toBe(10_000 * LATIN_NS);
	expect(charged(() => checkedUnit("😀".repeat(10_000), 5000))).toBeGreaterThan(10_000);
});
