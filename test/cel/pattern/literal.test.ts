/** A pattern that is plain text finds and replaces what RE2 does. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pattern } from "../../../src/cel/expression.ts";
import { isLiteral, LiteralPattern } from "../../../src/cel/pattern/literal.ts";
import { compilePattern } from "../../../src/cel/pattern/pattern.ts";
import { compileRe2, Re2Pattern } from "../../../src/cel/pattern/re2.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

function re2(source: string): Re2Pattern {
	const compiled = compileRe2(source);
	if (!(compiled instanceof Re2Pattern)) throw new Error(compiled.message);
	return compiled;
}

const replaced = (pattern: Pick<Pattern, "replace">, text: string): string =>
	pattern.replace(text, (groups) => `<${JSON.stringify(groups)}>`);

test("property: as RE2, with matches that overlap, and texts of any characters", () => {
	const source = fc.string({ unit: fc.constantFrom(..."ab/-&"), minLength: 1, maxLength: 4 });
	const text = fc.string({
		unit: fc.constantFrom(..."ab/-&", "é", "😀", "\ud800", "\n"),
		maxLength: 24,
	});
	let matched = 0;
	fc.assert(
		fc.property(source, text, fc.integer({ min: 1, max: 4 }), (written, searched, most) => {
			const [literal, expected] = [new LiteralPattern(written), re2(written)];
			expect(literal.test(searched)).toBe(expected.test(searched));
			const found = expected.findAll(searched, most, () => true);
			expect(literal.findAll(searched, most)).toEqual(found);
			expect(replaced(literal, searched)).toBe(replaced(expected, searched));
			const all = literal.findAll(searched, 99);
			const mark = (): string => "+";
			expect(literal.replace(searched, mark, all)).toBe(literal.replace(searched, mark));
			if (all.length > 0) matched++;
		}),
		{ numRuns: 1000 },
	);
	expect(matched).toBeGreaterThan(50);
});

test("every character that counts as plain means itself, and all others are left to the engines", () => {
	const plain: string[] = [];
	for (let code = 0; code < 0x180; code++) {
		const character = String.fromCharCode(code);
		if (!isLiteral(character)) continue;
		plain.push(character);
		const others = Array.from({ length: 0x180 }, (_, other) => String.fromCharCode(other));
		expect(others.filter((other) => re2(character).test(other))).toEqual([character]);
	}
	expect(plain.length).toBe(81);
	for (const character of "\\.+*?()[]{}^$|") expect(isLiteral(character)).toBe(false);
	expect(isLiteral("")).toBe(false);
	expect(isLiteral("a".repeat(LIMITS.literalPatternCharacters + 1))).toBe(false);
});

test("is what the pattern of a url-rewrite of plain text becomes", () => {
	const compiled = compilePattern("/old/");
	expect(compiled.ok && compiled.value).toBeInstanceOf(LiteralPattern);
	const other = compilePattern("/old/.");
	expect(other.ok && other.value).not.toBeInstanceOf(LiteralPattern);
});

test("its cost grows with the text and with its own length", () => {
	const cost = (source: string, characters: number): number =>
		new LiteralPattern(source).replaceCost("x".repeat(characters));
	expect(cost("a", 2000)).toBeGreaterThan(cost("a", 1000));
	expect(cost("a".repeat(40), 10_000)).toBeGreaterThan(cost("a".repeat(20), 10_000));
});
