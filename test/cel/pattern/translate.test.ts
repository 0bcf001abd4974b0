/** Patterns in JavaScript: what is written. That it means the same is shown in `engines.test.ts`. */
import { expect, test } from "vitest";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";
import { translate } from "../../../src/cel/pattern/translate.ts";

function translated(source: string) {
	const tree = parsePattern(source);
	if (tree === undefined) throw new Error(`${source} is not read`);
	return translate(tree);
}

test.each([
	["", "(?:)"],
	[
		"a.b",
		"a(?:[\\u0000-\\u0009\\u000b-\\ud7ff\\ue000-\\uffff]|[\\ud800-\\udbff][\\udc00-\\udfff])b",
	],
	["(?:ab)*|c{2,}?", "(?:ab)*|c{2,}?"],
	["a(?:b|c)d", "a(?:b|c)d"],
	["(a)+(?P<n>b|c)", "(a)+(b|c)"],
	["[a-cx]+", "[a-cx]+"],
	["[ab]", "[ab]"],
	["\\.\\-\\/[\\^\\]-]", "\\.\\-/[\\-\\]\\^]"],
	["😀?", "(?:\\ud83d\\ude00)?"],
	["[a😀-😂]", "(?:a|\\ud83d[\\ude00-\\ude02])"],
	[
		"[\\x{103ff}-\\x{10801}]",
		"(?:\\ud800\\udfff|\\ud801[\\udc00-\\udfff]|\\ud802[\\udc00\\udc01])",
	],
	["(?m)^a$", "(?:^|(?<=\\n))a(?:$|(?=\\n))"],
	["^*\\b", "(?:^)*\\b"],
	["[^\\x00-\\x{10ffff}]", "[]"],
])("%s is %s", (source, expected) => {
	expect(translated(source)?.source).toBe(expected);
});

test("it is said where lone surrogates would be taken for something else", () => {
	expect(translated("[^a]")?.wellFormedOnly).toBe(true);
	expect(translated("[a-z]😀")?.wellFormedOnly).toBe(false);
});

test("\\B has no equal: it holds within a pair of surrogates", () => {
	expect(translated("a|(\\B)")).toBe(undefined);
	expect(/^\B/.test("a")).toBe(false);
	expect(/\B/.test("a😀a")).toBe(true);
});

test("every ASCII character means itself, inside and outside of classes", () => {
	for (let code = 0; code < 0x80; code++) {
		const written = `\\x${code.toString(16).padStart(2, "0")}`;
		const alone = new RegExp(`^${translated(written)?.source}$`);
		const inClass = new RegExp(`^${translated(`[é${written}]`)?.source}$`);
		for (let other = 0; other < 0x80; other++) {
			const character = String.fromCharCode(other);
			if (alone.test(character) !== (other === code)) expect.unreachable(written);
			if (inClass.test(character) !== (other === code)) expect.unreachable(`[${written}]`);
		}
	}
});
