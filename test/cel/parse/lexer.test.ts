/** Tokens and where strings end. */
import { expect, test } from "vitest";
import { skipString, tokenize } from "../../../src/cel/parse/lexer.ts";

const texts = (source: string): readonly string[] | string => {
	const result = tokenize(source);
	return result.ok
		? result.tokens.map(({ kind, text, start, end }) =>
				kind === "end" ? "end" : text || source.slice(start, end),
			)
		: `${result.fault.offset}: ${result.fault.message}`;
};

test.each([
	["a.b1 <= -1.5e3u2", '14: "1.5e3u" is no number'],
	["a&&b||!c", ["a", "&&", "b", "||", "!", "c", "end"]],
	["1.5 .5 1e-3 0xFu 7u 1.a", ["1.5", ".5", "1e-3", "0xFu", "7u", "1", ".", "a", "end"]],
	["a // b\r\n c//", ["a", "c", "end"]],
	["r'\\' '''a'b''' \"\"\"c\"\"\"", ["r'\\'", "'''a'b'''", '"""c"""', "end"]],
	["bar'x'", ["bar", "'x'", "end"]],
	["b'x' br'x' B'x' rb 'x'", ["b'x'", "br'x'", "B'x'", "rb", "'x'", "end"]],
	["a ? [?b] : .?c", ["a", "?", "[", "?", "b", "]", ":", ".", "?", "c", "end"]],
	["é", '0: unexpected character "é"'],
	["a.`b c", '2: unexpected character "`"'],
	["a.`b-c`", ["a", ".", "b-c", "end"]],
	["a = b", '2: unexpected "="; equality is written "=="'],
	["a & b", '2: unexpected "&"; "and" is written "&&"'],
	["a # b", '2: unexpected character "#"'],
	["1e999", "0: 1e999 does not fit into a double"],
	["18446744073709551616u", "0: 18446744073709551616u does not fit into a uint"],
	["'a\n'", "0: the string that starts here is not closed with '"],
])("%s", (source, expected) => {
	expect(texts(source)).toEqual(expected);
});

test("a string is skipped to behind its quote, or to the end", () => {
	expect(skipString("'a\\'b' c", 0)).toBe(6);
	expect(skipString("r'a\\' c", 0)).toBe(5);
	expect(skipString("'abc", 0)).toBe(4);
	expect(skipString("abc", 0)).toBeUndefined();
});
