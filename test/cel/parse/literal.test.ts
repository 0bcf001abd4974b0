/** Escape sequences of strings and bytes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBytes, decodeString } from "../../../src/cel/parse/literal.ts";

test.each([
	["\\a\\b\\f\\n\\r\\t\\v", "\x07\b\f\n\r\t\v"],
	["\\x41\\u00e9\\U0001F600\\101", "Aé😀A"],
	["\\?\\\\\\\"\\'\\`", "?\\\"'`"],
	["\\x80", "\u0080"],
])("%s", (body, expected) => {
	expect(decodeString(body, false)).toBe(expected);
	expect(decodeString(body, true)).toBe(body);
});

test.each(["\\q", "\\x4", "\\u12", "\\ud800", "\\U00110000", "\\400", "\\9", "a\\"])(
	"%s is refused",
	(body) => {
		expect(decodeString(body, false)).toHaveProperty("message");
	},
);

test("bytes hold UTF-8, and escapes are bytes", () => {
	expect(decodeBytes("é\\xff\\001\\n", false)).toEqual(Uint8Array.of(0xc3, 0xa9, 0xff, 1, 10));
	expect(decodeBytes("\\u0041", false)).toHaveProperty("message");
	expect(decodeBytes("\\x41", true)).toEqual(new Uint8Array(Buffer.from("\\x41")));
});

test("property: a text escaped by code points decodes to itself", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), (text) => {
			const escaped = [...text]
				.map((each) => `\\U${(each.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`)
				.join("");
			expect(decodeString(escaped, false)).toBe(text);
		}),
	);
});
