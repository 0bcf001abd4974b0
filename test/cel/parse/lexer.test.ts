/** Tokens and where strings end. */
import { expect, test } from "vitest";
import { skipString, tokenize } from "../../../src/cel/parse/lexer.ts";

const texts = (source: string): readonly string[] | string => {
	const result = tokenize(source);
	return result.ok
		? result.tokens.map(({ kind, text }) => (kind === "end" ? "." : text))
		: `${result.fault.offset}: ${result.fault.message}`;
};

test.each([
	["a.b1 <= -1.5e3u2", '14: "1.5e3u" is no number'],
	["a&&b||!c", ["a", "&&", "b", "||", "!", "c", "."]],
	["1.5 .5 1e-3 0xFu 7u 1.a", ["1.5", ".5", "1e-3", "0xFu", "7u", "1", ".", "a", "."]],
	["a // b\r\n c//", ["a", "c", "."]],
	["r'\\' '''a'b''' \"\"\"c\"\"\"", ["r'\\'", "'''a'b'''", '"""c"""', "."]],
	["bar'x'", ["bar", "'x'", "."]],
	["a.`b-c`", ["a", ".", "b-c", "."]],
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
