/** `(?i)`: what is folded is as RE2 has it; the rest is left to RE2. */
import { expect, test } from "vitest";
import { caseFolded } from "../../../src/cel/pattern/case-folding.ts";
import { ALL } from "../../../src/cel/pattern/code-points.ts";
import { heldByRe2, heldByUs } from "./every-code-point.ts";

const letters = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => [
	letter,
	letter.toUpperCase(),
]);

test("each letter has its other forms, the Kelvin sign and the long s among them", () => {
	for (const letter of letters.flat()) {
		expect(heldByUs(`(?i)${letter}`), letter).toEqual(heldByRe2(`(?i)${letter}`));
	}
	expect(heldByUs("(?i)k")).toEqual([0x4b, 0x4b, 0x6b, 0x6b, 0x212a, 0x212a]);
});

test.each([
	"[a-f]",
	"[^k]",
	"[^/]",
	"\\w",
	"\\W",
	"[\\W]",
	"[^\\W]",
	"[[:upper:]]",
	"[[:^lower:]]",
	"[@-\\[]",
	"[0-9]",
	".",
	"[\\x00-\\x{10ffff}]",
])("(?i)%s", (source) => {
	expect(heldByUs(`(?i)${source}`)).toEqual(heldByRe2(`(?i)${source}`));
});

test("what lies beyond ASCII is not folded here", () => {
	for (const source of ["é", "ß", "\u0131", "\u017f", "\u212a", "[à-ÿ]", "中"]) {
		expect(heldByUs(`(?i)${source}`), source).toBe(undefined);
	}
	expect(caseFolded(ALL)).toBe(ALL);
});
