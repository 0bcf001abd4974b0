/** Lines and columns count from 1, in characters, with every kind of line break. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { problemAt } from "../../src/cel/problem.ts";

const at = (text: string, offset: number, base = 0) =>
	problemAt(text, { offset, code: "expression_syntax", message: "m" }, base);

test.each([
	["abc", 1, 1, 2, "abc\n ^"],
	["a\nbc", 3, 2, 2, "bc\n ^"],
	["a\r\nbc", 3, 2, 1, "bc\n^"],
	["a\rbc", 2, 2, 1, "bc\n^"],
	["😀x", 2, 1, 2, "😀x\n ^"],
	["\tx", 1, 1, 2, "\tx\n\t^"],
	["a\u0000b", 2, 1, 3, "a\ufffdb\n  ^"],
	["", 0, 1, 1, "\n^"],
	["abc", 99, 1, 4, "abc\n   ^"],
])("%j at %i", (text, offset, line, column, excerpt) => {
	expect(at(text, offset)).toMatchObject({ line, column, excerpt });
});

test("offsets may count from the middle of a text", () => {
	expect(at("a\nb${c}", 0, 5)).toMatchObject({ line: 2, column: 4 });
});

test("property: line and column lead back to the offset", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom("a", "😀", "\n", "\t")), fc.nat(), (characters, seed) => {
			const index = characters.length === 0 ? 0 : seed % (characters.length + 1);
			const { line, column } = at(characters.join(""), characters.slice(0, index).join("").length);
			const before = characters.slice(0, index);
			expect(line).toBe(before.filter((each) => each === "\n").length + 1);
			expect(column).toBe(index - before.lastIndexOf("\n"));
		}),
	);
});
