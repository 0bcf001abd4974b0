/** Parameters of `content-type`. */
import { expect, test } from "vitest";
import { mediaTypeParameters } from "../../../src/cel/values/media-type-parameters.ts";
import { headerLines } from "../attributes.ts";

test.each([
	["Text/HTML", {}],
	[" text/html ; Charset=UTF-8;q=a b ;x", { charset: "UTF-8", q: "a b" }],
	['multipart/x; boundary="a;\\"b"; boundary=c', { boundary: 'a;"b' }],
	["", {}],
	[";=;", {}],
	['a/b;c="', { c: "" }],
])("%s", (line, expected) => {
	const parameters = mediaTypeParameters(headerLines([["content-type", line]]));
	expect(Object.fromEntries(parameters.keys().map((key) => [key, parameters.get(key)]))).toEqual(
		expected,
	);
});

test("without the header there are none", () => {
	const parameters = mediaTypeParameters(headerLines([]));
	expect([parameters.size, parameters.get("charset")]).toEqual([0, undefined]);
});
