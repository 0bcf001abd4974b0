/** Trimming, casing, reversing and quoting, held against models over characters and JSON's reader. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "./calls.ts";

const text = fc.string({
	unit: fc.constantFrom(
		"a",
		"Z",
		"é",
		"É",
		"ß",
		"😀",
		" ",
		"\t",
		"\u00a0",
		"\u3000",
		"\u200b",
		"[",
		"@",
	),
});

test("property: trim takes white space off both ends and nothing else", () => {
	const isWhite = (character: string | undefined): boolean =>
		character !== undefined &&
		/^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character);
	fc.assert(
		fc.property(text, (subject) => {
			const characters = [...subject];
			while (isWhite(characters[0])) characters.shift();
			while (isWhite(characters.at(-1))) characters.pop();
			expect(call("string.trim() -> string", subject)).toBe(characters.join(""));
		}),
	);
});

test("property: only letters of ASCII change their case", () => {
	fc.assert(
		fc.property(fc.oneof(text, fc.string()), (subject) => {
			const change = (from: RegExp, by: number): string =>
				[...subject]
					.map((each) => (from.test(each) ? String.fromCharCode(each.charCodeAt(0) + by) : each))
					.join("");
			expect(call("string.lowerAscii() -> string", subject)).toBe(change(/^[A-Z]$/, 32));
			expect(call("string.upperAscii() -> string", subject)).toBe(change(/^[a-z]$/, -32));
		}),
	);
});

test("property: reverse turns characters, not units", () => {
	fc.assert(
		fc.property(text, (subject) => {
			expect(call("string.reverse() -> string", subject)).toBe([...subject].reverse().join(""));
		}),
	);
});

test("property: what is quoted reads back, and has no control characters that literals escape", () => {
	const escaped = fc.constantFrom(
		'"',
		"\\",
		"\x07",
		"\b",
		"\t",
		"\n",
		"\v",
		"\f",
		"\r",
		"n",
		"\0",
		"é",
		"😀",
	);
	fc.assert(
		fc.property(fc.string({ unit: escaped }), (subject) => {
			const quoted = String(call("strings.quote(string) -> string", subject));
			for (const character of "\x07\b\t\n\v\f\r") expect(quoted).not.toContain(character);
			// JSON has no \a and \v, and wants NUL escaped
			const json = quoted.replace(/\\(.)/g, (whole, letter) =>
				letter === "a" ? "\\u0007" : letter === "v" ? "\\u000b" : whole,
			);
			expect(JSON.parse(json.replaceAll("\0", "\\u0000"))).toBe(subject);
		}),
	);
});

test("halves of characters are quoted as U+FFFD", () => {
	expect(call("strings.quote(string) -> string", "a\ud83d")).toBe('"a\ufffd"');
});

test("a text that has nothing to change is given back as it is", () => {
	for (const name of ["trim", "lowerAscii"])
		expect(call(`string.${name}() -> string`, "äb")).toBe("äb");
});
