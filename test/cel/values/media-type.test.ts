/** `content-type` taken apart. */
import { expect, test } from "vitest";
import { mediaType, rawLine } from "../../../src/cel/values/media-type.ts";
import { headerLines } from "../attributes.ts";
import { charged } from "../library/calls.ts";

test.each([
	["Text/HTML", "text/html"],
	[" text/html ; Charset=UTF-8;q=a b ;x", "text/html"],
	["", ""],
	[";=;", ""],
])("%s", (line, type) => {
	const lines = headerLines([["content-type", line]]);
	expect(mediaType(lines)).toBe(type);
	expect(rawLine(lines, "content-type")).toBe(line);
});

test("the first line counts; without the header both are empty", () => {
	const lines = headerLines([
		["content-type", "a/b"],
		["content-type", "c/d"],
	]);
	expect([mediaType(lines), rawLine(lines, "content-type")]).toEqual(["a/b", "a/b"]);
	expect([mediaType(headerLines([])), rawLine(headerLines([]), "x")]).toEqual(["", ""]);
});

test("a type of some length is charged for, what stands behind it is not", () => {
	const spent = (line: string): number =>
		charged(() => mediaType(headerLines([["content-type", line]])));
	expect(spent("a/b".repeat(1000))).toBeGreaterThan(3000);
	expect(spent(`a/b;${"x".repeat(3000)}`)).toBe(0);
});
