/**
 * The parser against the library's, which is slow but conformant: the same trees for random sources. And
 * what the library's has not: bounds. Inputs that are no expressions are `fuzz.test.ts`'s.
 */
import { parse as parseReference } from "@bufbuild/cel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { shape, shapeOf } from "../checked.ts";

function reference(source: string): string | undefined {
	try {
		const { expr } = parseReference(source);
		return expr === undefined ? undefined : shape(expr);
	} catch {
		return undefined;
	}
}

function ours(source: string): string | undefined {
	const parsed = parse(source);
	return parsed.ok ? shapeOf(parsed.expr) : undefined;
}

const name = fc.constantFrom("a", "b", "req", "x_1", "list");
const literal = fc.oneof(
	fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
	fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => `${value}u`),
	fc.constantFrom("0x1F", "0xffu", "1.5", ".5", "1e3", "2.5e-2", "true", "false", "null"),
	fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
	fc.constantFrom(
		"r'\\d'",
		"b'\\x41\\101é'",
		"'''a\n'b'''",
		'"""a"b"""',
		"'\\u00e9\\U0001F600\\?'",
		"bR'\\x'",
	),
);
const space = fc.constantFrom("", " ", "\n", " // note\n");

/** Random sources by the grammar, most of them well-formed. */
const { expression } = fc.letrec<{ expression: string; atom: string }>((tie) => {
	const inner = tie("expression");
	const args = fc.array(inner, { maxLength: 2 }).map((each) => each.join(", "));
	const pair = (left: fc.Arbitrary<string>, middle: fc.Arbitrary<string>) =>
		fc.tuple(left, space, middle, space, inner).map((parts) => parts.join(""));
	const operator = fc.constantFrom(..."+ - * / % < > <= >= == != && ||".split(" "), " in ");
	return {
		atom: fc.oneof({ maxDepth: 3 }, literal, name),
		expression: fc.oneof(
			{ maxDepth: 4, depthSize: "small" },
			tie("atom"),
			pair(tie("atom"), operator),
			pair(inner, operator),
			inner.map((each) => `(${each})`),
			inner.map((each) => `(${each}).field`),
			fc.tuple(name, name).map(([left, right]) => `has(${left}.${right})`),
			fc.tuple(inner, args).map(([target, each]) => `(${target}).method(${each})`),
			args.map((each) => `f(${each})`),
			args.map((each) => `[${each}]`),
			fc.tuple(inner, inner).map(([key, value]) => `{${key}: ${value}}`),
			fc.tuple(inner, inner).map(([list, index]) => `(${list})[${index}]`),
			fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a}) ? (${b}) : ${c}`),
			fc
				.tuple(name, fc.constantFrom("all", "exists", "exists_one", "map", "filter"), name, inner)
				.map(([list, macro, each, body]) => `${list}.${macro}(${each}, ${body})`),
			fc.constantFrom("!", "-").chain((sign) => tie("atom").map((each) => `${sign}(${each})`)),
		),
	};
});

test("property: well-formed sources have the trees of the library's parser", () => {
	let compared = 0;
	fc.assert(
		fc.property(expression, (source) => {
			const tree = reference(source);
			fc.pre(tree !== undefined);
			compared++;
			expect(ours(source)).toBe(tree);
		}),
		{ numRuns: 500 },
	);
	expect(compared).toBeGreaterThan(400);
});

const SIZE = LIMITS.expressionBytes;

test.each([
	["brackets", "(".repeat(SIZE)],
	["closed brackets", `${"(".repeat(SIZE / 2)}${")".repeat(SIZE / 2)}`],
	["lists", "[".repeat(SIZE)],
	["maps", "{1:".repeat(SIZE / 3)],
	["calls", "f(".repeat(SIZE / 2)],
	["indices", "a[".repeat(SIZE / 2)],
	["conditions", "a?b:".repeat(SIZE / 4)],
	["minuses", `${"-".repeat(SIZE)}1`],
	["spaced minuses", `${"- ".repeat(SIZE / 2)}1`],
	["nots", `${"!".repeat(SIZE)}a`],
	["sums", "a+".repeat(SIZE / 2)],
	["comparisons", "a<".repeat(SIZE / 2)],
	["selections", `a${".a".repeat(SIZE / 2)}`],
	["macros", "[1].all(x, ".repeat(SIZE / 11)],
	["macro chains", `[1]${".map(x, x)".repeat(SIZE / 10)}`],
])("too many nested %s are refused as such", (_, source) => {
	const parsed = parse(source);
	expect(parsed.ok ? "" : parsed.fault.code).toBe("expression_too_complex");
});

test("long chains of && and || are not deep", () => {
	const terms = Array.from({ length: SIZE / 16 }, (_, at) => `req.host=='${at}'`);
	for (const operator of ["||", "&&"]) expect(parse(terms.join(operator)).ok).toBe(true);
});

test("masses of macros are refused, masses of anything else are not", () => {
	const filled = (part: string): string =>
		`[${part.repeat(Math.floor((SIZE - 3) / part.length))}1]`;
	const dense = [
		"1,",
		"1<2,",
		"-a,",
		"!!!!!!!!!!!!a,",
		"a+a+a+a+a+a,",
		"{1:1},",
		"f(1),",
		"a.b,",
		"[],",
	];
	for (const part of dense) expect(parse(filled(part)).ok, part).toBe(true);
	for (const part of ["a.sortBy(x,x),", "a.optMap(x,x.optMap(x,x)),"]) {
		const parsed = parse(filled(part));
		expect(parsed.ok ? "" : parsed.fault.code, part).toBe("expression_too_complex");
	}
});

test("long lists and texts are not deep", () => {
	expect(parse(`[${"1,".repeat(SIZE / 2)}]`).ok).toBe(true);
	expect(parse(`'${"a".repeat(SIZE)}'`).ok).toBe(true);
});
