import { expect, test } from "vitest";
import { skeletonOf } from "../../../src/cel/alike/skeleton.ts";
import { tokenize } from "../../../src/cel/parse/lexer.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { pick, randomFrom } from "../generator-random.ts";

test("texts are taken out, with their places", () => {
	expect(skeletonOf(`req.method == 'GET' && x in ["a", '']`)).toEqual({
		source: "req.method == '' && x in ['', '']",
		texts: ["GET", "a", ""],
		offsets: [14, 29, 34],
	});
	expect(skeletonOf("true")).toEqual({ source: "true", texts: [], offsets: [] });
	expect(skeletonOf("'http://x' == y")?.texts).toEqual(["http://x"]);
	expect(skeletonOf(`"it's" == y`)?.texts).toEqual(["it's"]);
});

test.each([
	["an escape", String.raw`x == 'a\n'`],
	["a raw text", "x == r'a'"],
	["bytes", "x == b'a'"],
	["three quotes", "x == '''a'''"],
	["three quotes around nothing", "x == ''''''"],
	["a comment", "x == 'a' // 'b'"],
	["a comment before all", "// it's\nx == 'a'"],
	["a text that is not closed", "x == 'a"],
	["a text over two lines", "x == 'a\nb'"],
	["half of a character", "x == '\ud800'"],
	["NUL", "x == '\0'"],
	["a comment behind a slash", "x / // 'a'"],
	["a long expression", `x == '${"a".repeat(LIMITS.mouldCharacters)}'`],
])("%s is left to the parser", (_, source) => {
	expect(skeletonOf(source)).toBeUndefined();
});

test("what is taken out are the lexer's texts", () => {
	const parts = ["'", '"', "a", "r", "b", "\\", "/", "//", "\n", " ", "==", "''", "'x'", "`", "in"];
	let found = 0;
	for (let seed = 0; seed < 20_000; seed++) {
		const random = randomFrom(seed);
		let source = "";
		while (random() < 0.85) source += pick(random, parts);
		const skeleton = skeletonOf(source);
		const tokens = tokenize(source);
		if (skeleton === undefined || !tokens.ok) continue;
		found++;
		const texts = tokens.tokens.filter(({ kind }) => kind === "string" || kind === "bytes");
		expect(skeleton.texts, source).toEqual(texts.map(({ value }) => value));
		expect(skeleton.offsets, source).toEqual(texts.map(({ start }) => start));
	}
	expect(found).toBeGreaterThan(1000);
});
