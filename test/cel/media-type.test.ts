/** `content-type` taken apart. */
import { expect, test } from "vitest";
import { mediaType, mediaTypeParameters } from "../../src/cel/media-type.ts";
import { headerLines } from "./attributes.ts";

test.each([
	["Text/HTML", "text/html", {}],
	[" text/html ; Charset=UTF-8;q=a b ;x", "text/html", { charset: "UTF-8", q: "a b" }],
	['multipart/x; boundary="a;\\"b"; boundary=c', "multipart/x", { boundary: 'a;"b' }],
	["", "", {}],
	[";=;", "", {}],
])("%s", (line, type, parameters) => {
	const lines = headerLines([["content-type", line]]);
	expect(mediaType(lines)).toBe(type);
	expect(Object.fromEntries(mediaTypeParameters(lines))).toEqual(parameters);
});

test("without the header both are empty", () => {
	expect(mediaType(headerLines([]))).toBe("");
	expect(mediaTypeParameters(headerLines([])).size).toBe(0);
});
