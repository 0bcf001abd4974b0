/** What an editor underlines where a problem sits, in JSON and in YAML. */
import { describe, expect, it } from "vitest";
import { rangeAt } from "../../src/documents/text-range.ts";

/** @param text with `|` at the place */
const underlined = (text: string): string => {
	const offset = text.indexOf("|");
	const whole = text.replace("|", "");
	const before = text.slice(0, offset).split(/\r\n|\r|\n/);
	const position = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
	const range = rangeAt(whole, position);
	expect(range).toMatchObject({ ...position, endLine: position.line });
	return (whole.split(/\r\n|\r|\n/)[position.line - 1] ?? "").slice(
		range.column - 1,
		range.endColumn - 1,
	);
};

describe("underlines", () => {
	it.each([
		['{"a": 1,\r\n |"b\\"c": 2}', '"b\\"c"'],
		['{"a": [|true, 1]}', "true"],
		["|{}", "{"],
		['{"expressions": [|"req.method == \'GET\'"]}', "\"req.method == 'GET'\""],
		["inbound:\n  - |expressions: [x]", "expressions"],
		["a:\n  - |req.host == 'a:b' # why", "req.host == 'a:b'"],
		["a: |'it''s'", "'it''s'"],
		["a:|", ""],
		["|", ""],
	])("%j", (text, expected) => {
		expect(underlined(text)).toBe(expected);
	});

	it("something, where nothing is", () => {
		expect(rangeAt("", { line: 1, column: 1 })).toMatchObject({ endColumn: 2 });
		expect(rangeAt("a", { line: 9, column: 4 })).toMatchObject({ endColumn: 5 });
	});

	it("long lines of blanks in no time", () => {
		const began = performance.now();
		rangeAt(`a${" ".repeat(100_000)}`, { line: 1, column: 1 });
		expect(performance.now() - began).toBeLessThan(200);
	});
});
