/** RE2, the judge: what it refuses and how it is said, and the matches it finds. */
import { expect, test } from "vitest";
import { compileRe2, Re2Pattern } from "../../../src/cel/pattern/re2.ts";

test.each([
	["a(", 'the pattern is invalid: missing closing ) at "a("', 0],
	["a[z-a]", 'the pattern is invalid: invalid character class range at "z-a"', 2],
	[
		"ab(?!c)",
		'the pattern is invalid: invalid or unsupported Perl syntax at "(?!"; RE2 has no look-around and no back-references',
		2,
	],
	["a**", 'the pattern is invalid: invalid nested repetition operator at "**"', 1],
	["\\C", 'the pattern is invalid: invalid escape sequence at "\\\\C"', 0],
])("%s is refused", (source, message, offset) => {
	expect(compileRe2(source)).toEqual({ message, offset });
});

test("size, groups and their names", () => {
	const pattern = compileRe2("(a)(?P<n>b{10})");
	if (!(pattern instanceof Re2Pattern)) throw new Error(pattern.message);
	expect(pattern.groupCount).toBe(2);
	expect([...pattern.groupNames]).toEqual([["n", 2]]);
	expect(pattern.instructions).toBeGreaterThan(10);
	expect(pattern.instructions).toBeLessThan(25);
});

test("an empty match directly behind another is none", () => {
	const pattern = compileRe2("a*");
	if (!(pattern instanceof Re2Pattern)) throw new Error(pattern.message);
	expect(pattern.replace("baac", ([match]) => `<${match}>`)).toBe("<>b<aa>c<>");
});
