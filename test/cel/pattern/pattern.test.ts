/** Patterns: RE2's syntax and meaning, groups, replacement, and bounds. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EvaluationFailure, type Pattern } from "../../../src/cel/expression.ts";
import { compilePattern, matchesDynamic } from "../../../src/cel/pattern/pattern.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

function pattern(source: string): Pattern {
	const compiled = compilePattern(source);
	if (!compiled.ok) throw new Error(compiled.error.message);
	return compiled.value;
}

/** Each match as `[match|group|group]`, groups that took no part as `-`. */
const marked = (source: string, text: string): string =>
	pattern(source).replace(text, (groups) => `[${groups.map((group) => group ?? "-").join("|")}]`);

describe("replacement", () => {
	test.each([
		["a*", "baac", "[]b[aa]c[]"],
		["", "ab", "[]a[]b[]"],
		["", "😀a", "[]😀[]a[]"],
		[".", "a😀", "[a][😀]"],
		["(a)|(b)", "ab", "[a|a|-][b|-|b]"],
		["(x)?", "a", "[|-]a[|-]"],
		["b*|", "abb", "[]a[bb]"],
		["^", "ab", "[]ab"],
		["$", "ab", "ab[]"],
		["v0/user/([0-9]+).*", "http://h/v0/user/42?x=1", "http://h/[v0/user/42?x=1|42]"],
		["nope", "text", "text"],
		["(?i)STRASSE", "straße strasse", "straße [strasse]"],
	])("of %s in %s", (source, text, expected) => {
		expect(marked(source, text)).toBe(expected);
	});
});

test("groups have numbers and names", () => {
	const { groupCount, groupNames } = pattern("(a)(?P<year>b)(?<day>c)(?:d)");
	expect(groupCount).toBe(3);
	expect([...groupNames]).toEqual([
		["year", 2],
		["day", 3],
	]);
});

test("it matches anywhere", () => {
	expect(pattern("b").test("abc")).toBe(true);
	expect(pattern("^b").test("abc")).toBe(false);
});

test.each([
	["(", 'the pattern is invalid: missing closing ) at "("', 1],
	[
		"a(?=b)",
		'the pattern is invalid: invalid or unsupported Perl syntax at "(?="; RE2 has no look-around and no back-references',
		2,
	],
	[
		"(a)\\1",
		'the pattern is invalid: invalid escape sequence at "\\\\1"; RE2 has no look-around and no back-references',
		4,
	],
	["a{1001}", 'the pattern is invalid: invalid repeat count at "{1001}"', 2],
])("%s is refused", (source, message, column) => {
	const compiled = compilePattern(source);
	expect(compiled.ok ? undefined : compiled.error).toMatchObject({
		code: "invalid_pattern",
		message,
		column,
	});
});

test("patterns that would take too much room are refused", () => {
	const long = compilePattern("a".repeat(LIMITS.patternBytes + 1));
	expect(long.ok ? "" : long.error.message).toContain("bytes");
	const large = compilePattern("((a{100}b){9}c)".repeat(100));
	expect(large.ok ? "" : large.error.message).toContain("too large");
});

test("property: what only literal characters match is replaced as texts are", () => {
	const letters = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀") });
	fc.assert(
		fc.property(letters, letters, (part, text) => {
			fc.pre(part !== "");
			expect(pattern(part).replace(text, () => "_")).toBe(text.replaceAll(part, "_"));
			expect(pattern(part).test(text)).toBe(text.includes(part));
		}),
	);
});

test("property: arbitrary sources compile or are refused, and what compiles keeps unmatched text", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: fc.constantFrom(..."ab()[]{}*+?|^$\\.,-1dpLN:<>=😀") }),
			fc.string({ unit: fc.constantFrom("a", "b", "1", "😀", " ") }),
			(source, text) => {
				const compiled = compilePattern(source);
				if (compiled.ok) expect(compiled.value.replace(text, ([match = ""]) => match)).toBe(text);
				else expect(compiled.error.code).toBe("invalid_pattern");
			},
		),
	);
});

describe("patterns known only at run time", () => {
	test("match, again and again, more of them than are kept", () => {
		for (let round = 0; round < 2; round++) {
			for (let count = 0; count <= LIMITS.dynamicPatterns; count++) {
				expect(matchesDynamic(`a${count}`, `^a${count}$`)).toBe(true);
				expect(matchesDynamic("a", `^a${count}$`)).toBe(false);
			}
		}
	});

	test.each(["(", "a".repeat(LIMITS.dynamicPatternBytes + 1)])(
		"fail if they are none",
		(source) => {
			for (let round = 0; round < 2; round++) {
				expect(() => matchesDynamic("a", source)).toThrow(EvaluationFailure);
			}
		},
	);
});
