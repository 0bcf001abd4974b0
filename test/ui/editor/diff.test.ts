/** Differences of two texts: both can be read from them, and what is shared is shown once. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type DiffLine, diffLines } from "../../../ui/editor/diff.ts";

const side = (lines: readonly DiffLine[], which: DiffLine["side"]): string =>
	lines
		.filter(({ side }) => side === "both" || side === which)
		.map(({ text }) => text)
		.join("\n");

const text = fc
	.array(fc.constantFrom("a", "b", "c", "{", "}", ""), { maxLength: 30 })
	.map((each) => each.join("\n"));

it("holds both texts", () => {
	fc.assert(
		fc.property(text, text, (theirs, mine) => {
			const lines = diffLines(theirs, mine);
			expect([side(lines, "theirs"), side(lines, "mine")]).toEqual([theirs, mine]);
		}),
	);
});

it("shows the same text as shared", () => {
	fc.assert(
		fc.property(text, (same) => {
			expect(diffLines(same, same).every(({ side }) => side === "both")).toBe(true);
		}),
	);
});

it("shows a changed line as theirs and mine, between what is shared", () => {
	expect(diffLines("a\nb\nc", "a\nx\nc").map(({ side, text }) => `${side} ${text}`)).toEqual([
		...["both a", "theirs b", "mine x", "both c"],
	]);
});

it("is as short as can be", () => {
	const lines = diffLines("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc");
	expect(lines.filter(({ side }) => side !== "both")).toHaveLength(5);
});

it("two long texts with nothing in common are shown as blocks, at once", () => {
	const long = (letter: string) =>
		Array.from({ length: 20_000 }, (_, index) => letter + index).join("\n");
	const lines = diffLines(long("a"), long("b"));
	expect(lines).toHaveLength(40_000);
	expect(side(lines, "mine")).toBe(long("b"));
});
