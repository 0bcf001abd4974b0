/** Patterns that are texts in disguise mean what the pattern engines take them for, and no other pattern is taken for one. */
import { expect, it } from "vitest";
import { literalsOf } from "../../../src/cel/guard/literal-pattern.ts";

const TEXTS = [
	...["", "a", "b", "ab", "Bot", "GoogleBOT/1.0", "xay", "xby", "x-y", "a.b", "aXb", "/wp-login"],
	...["^a", "a$", "a|b", "(a)", "a(-b)-", "a-b-", "k", "K", "\u212a", "a\nb", "\\", "a\\b"],
];

const matches = (pattern: string, text: string): boolean | undefined => {
	const literals = literalsOf(pattern);
	if (literals === undefined) return undefined;
	const subject = literals.folds ? text.replaceAll(/[A-Z]/g, (one) => one.toLowerCase()) : text;
	return literals.alternatives.some(({ comparison, text: wanted }) => {
		if (comparison === "equals") return subject === wanted;
		if (comparison === "starts") return subject.startsWith(wanted);
		return comparison === "ends" ? subject.endsWith(wanted) : subject.includes(wanted);
	});
};

/** Of patterns that RE2 and JavaScript read in the same way, for subjects of ASCII. */
const asJavaScript = (pattern: string, text: string): boolean =>
	pattern.startsWith("(?i)")
		? new RegExp(pattern.slice(4), "i").test(text)
		: new RegExp(pattern).test(text);

it("means what a regular expression means", () => {
	for (const pattern of [
		...["a", "^a", "a$", "^a$", "a|b", "^a|b$", "(a|b)", "^(?:a|ab)$", "x(a|b)y", "x(?:a|)y"],
		...["(?i)bot", "(?i)^google(?:bot|x)", "a\\.b", "^/wp-(login|admin)", "\\$", "\\^a", "\\\\"],
	]) {
		expect(literalsOf(pattern), pattern).toBeDefined();
		for (const text of TEXTS.filter((each) => /^[ -~]*$/.test(each)))
			expect(matches(pattern, text), `${pattern} ${text}`).toBe(asJavaScript(pattern, text));
	}
});

it("is nothing else", () => {
	for (const pattern of [
		...["", "a+", "a.b", "[ab]", "a{2}", "\\d", "\\bab", "a\\(-b\\)-", "a\\|b", "(a)(b)", "((a))"],
		...["(?i:a)", "(?s)a", "(a|b)+", "x^a", "a$b", "a|", "^$", "é", "(?P<n>a)", "\\Qa", "a\\"],
	])
		expect(literalsOf(pattern), pattern).toBeUndefined();
});
