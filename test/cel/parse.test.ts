/**
 * The parser against the library's, which is slow but conformant: the same trees for random sources. And
 * what the library's has not: bounds, and no input that throws or hangs.
 */
import { parse as parseReference } from "@bufbuild/cel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePredicate } from "../../src/cel/compile.ts";
import { compileTemplate } from "../../src/cel/template.ts";
import { parse } from "../../src/cel/parse.ts";
import type { Expr } from "../../src/cel/syntax.ts";
import { LIMITS } from "../../src/limits.ts";

/** A tree as text, without ids. */
function shape({ exprKind }: Expr): string {
	const { case: kind, value } = exprKind;
	switch (kind) {
		case "constExpr": {
			const { constantKind } = value;
			const bytes = constantKind.case === "bytesValue" ? [...constantKind.value] : undefined;
			return `${constantKind.case} ${bytes ?? JSON.stringify(String(constantKind.value))}`;
		}
		case "identExpr":
			return value.name;
		case "selectExpr":
			return `(${value.testOnly ? "has " : ""}${optional(value.operand)}.${value.field})`;
		case "callExpr": {
			const target = value.target === undefined ? "" : `${shape(value.target)}.`;
			return `${target}${value.function}(${value.args.map(shape).join(", ")})`;
		}
		case "listExpr":
			return `[${value.elements.map(shape).join(", ")}]`;
		case "structExpr":
			return `{${value.entries
				.map(({ keyKind, value: each }) =>
					keyKind.case === "mapKey" ? `${shape(keyKind.value)}: ${optional(each)}` : "?",
				)
				.join(", ")}}`;
		case "comprehensionExpr":
			return `fold ${value.iterVar} in ${optional(value.iterRange)}, ${value.accuVar} = ${optional(
				value.accuInit,
			)}; ${optional(value.loopCondition)}; ${optional(value.loopStep)}; ${optional(value.result)}`;
		default:
			return "?";
	}
}

const optional = (expr: Expr | undefined): string => (expr === undefined ? "-" : shape(expr));

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
	return parsed.ok ? shape(parsed.expr) : undefined;
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

/** One character changed, removed or doubled. */
const mutated = fc
	.tuple(expression, fc.nat(), fc.constantFrom(..."()[]{}'\"\\.,?:+-!&|=<> x0\n`é"), fc.nat(2))
	.map(([source, at, character, kind]) => {
		const place = source.length === 0 ? 0 : at % source.length;
		const skipped = kind === 0 ? 0 : 1;
		return source.slice(0, place) + (kind === 1 ? "" : character) + source.slice(place + skipped);
	});

test("property: no text makes the compiler throw, and every problem has a place in the text", () => {
	const texts = fc.oneof(mutated, expression, fc.string({ unit: "binary" }), fc.string());
	fc.assert(
		fc.property(texts, (text) => {
			const sources = [
				compilePredicate(text, "inbound"),
				compileTemplate(`\${${text}}`, "inbound"),
			];
			for (const compiled of sources) {
				for (const { line, column, message } of compiled.ok ? [] : compiled.error) {
					const lines = `\${${text}}`.split(/\r\n|\r|\n/);
					expect(message).not.toBe("");
					expect(column).toBeLessThanOrEqual([...(lines[line - 1] ?? "")].length + 1);
				}
			}
		}),
		{ numRuns: 1000 },
	);
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
	for (const operator of ["||", "&&"]) {
		expect(compilePredicate(terms.join(operator), "inbound").ok).toBe(true);
	}
});

test("long lists and texts are not deep", () => {
	expect(parse(`[${"1,".repeat(SIZE / 2)}]`).ok).toBe(true);
	expect(parse(`'${"a".repeat(SIZE)}'`).ok).toBe(true);
});
