/** Escapes of one character, compared with RE2. */
import { expect, test } from "vitest";
import { PatternCursor } from "../../../src/cel/pattern/cursor.ts";
import { escapedCodePoint } from "../../../src/cel/pattern/escapes.ts";
import { heldByRe2 } from "./every-code-point.ts";

const read = (written: string): [number | undefined, string] => {
	const cursor = new PatternCursor(written);
	const codePoint = escapedCodePoint(cursor);
	return [codePoint, written.slice(cursor.index)];
};

const numbers = [
	"0",
	"07",
	"012",
	"177",
	"101",
	"12",
	"x41",
	"x{1F600}",
	"x{0}",
	"x{10ffff}",
	"xfF",
];
const characters = Array.from("afnrtv.\\*+?()[]{}^$|/-_ ~!\"#%&',:;<=>@`");

test.each([...numbers, ...characters])("\\%s", (written) => {
	const [codePoint = -1, rest] = read(written);
	expect(rest).toBe("");
	expect([codePoint, codePoint]).toEqual(heldByRe2(`\\${written}`));
});

test("an octal number has three digits at most", () => {
	expect(read("1234")).toEqual([0o123, "4"]);
	expect(read("08")).toEqual([0, "8"]);
});

test.each(["1", "8", "9a", "x", "x4", "x{}", "x{g}", "c", "u0041", "é"])(
	"\\%s is none",
	(written) => {
		expect(read(written)[0]).toBe(undefined);
	},
);
