/**
 * Where V8's groups are those of RE2. That what is said to agree does is shown by comparison, in
 * `engines.test.ts`; here that what is said to differ is no more than it must be, and does differ.
 */
import { expect, test } from "vitest";
import { agreesOnGroups } from "../../../src/cel/pattern/agreement.ts";
import { compileRe2, Re2Pattern } from "../../../src/cel/pattern/re2.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";

const agrees = (source: string): boolean | undefined => {
	const tree = parsePattern(source);
	return tree && agreesOnGroups(tree);
};

test.each([
	["(?:(a)|b)*", "ab"],
	["(?:(a)?b)+", "abb"],
	["(a*)?c", "c"],
	["(|a)*", "aa"],
])("%s is RE2's, and JavaScript finds others in %s", (source, text) => {
	expect(agrees(source)).toBe(false);
	const re2 = compileRe2(source);
	if (!(re2 instanceof Re2Pattern)) throw new Error(re2.message);
	let found: readonly (string | undefined)[] | undefined;
	re2.replace(text, (groups) => {
		found ??= groups;
		return "";
	});
	const other = new RegExp(source).exec(text);
	expect([...(other ?? [])]).not.toEqual(found);
});

test.each(["(a|b)*", "(?:(a)b)+", "((a)(b)){2}", "(a)?b", "(?:(a)|b)?", "a*b+c?", "(?:a|(b))c*"])(
	"%s is the same in both",
	(source) => {
		expect(agrees(source)).toBe(true);
	},
);
