/** `content-type` taken apart. */
import { expect, test } from "vitest";
import { mediaType, rawLine } from "../../src/cel/media-type.ts";
import { headerLines } from "./attributes.ts";

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
