/**
 * Whatever is written as an expression is either a sound tree or has faults with a place in the text: no
 * input makes parser or checker throw, run off the stack or take for ever. `FUZZ_CASES` asks for more
 * cases than the default.
 */
import {
	getConformanceSuite,
	type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { check } from "../../src/cel/check/check.ts";
import { DECLARATIONS } from "../../src/cel/check/declarations.ts";
import { Scope } from "../../src/cel/check/scope.ts";
import { typeName } from "../../src/cel/check/types.ts";
import { VARIABLES } from "../../src/cel/check/variables.ts";
import { tokenize } from "../../src/cel/parse/lexer.ts";
import { parse } from "../../src/cel/parse/parse.ts";
import type { Fault } from "../../src/cel/problem.ts";
import type { Node } from "../../src/cel/tree/node.ts";
import { childrenOf, perTurn } from "../../src/cel/tree/parts.ts";
import { LIMITS } from "../../src/limits/limits.ts";

const CASES = Number(process.env.FUZZ_CASES ?? 20_000);
vi.setConfig({ testTimeout: 30_000 + 5 * CASES });

function assertFault(source: string, { offset, message }: Fault): void {
	if (offset < 0 || offset > source.length || message === "") {
		throw new Error(`fault at ${offset}: ${message}`);
	}
}

/** Every node of a checked tree has its type, every call its overloads, every name what it stands for. */
function assertSound(scope: Scope, node: Node, locals: ReadonlySet<string>): void {
	if (typeName(scope.typeOf(node)).includes("error")) throw new Error("a node of no type");
	if (node.kind === "identifier" && !locals.has(node.name))
		throw new Error(`what is ${node.name}?`);
	if (node.kind === "variable" && !VARIABLES.has(node.name)) throw new Error(`no ${node.name}`);
	if (node.kind === "typeName" && !TYPE_NAMES.has(node.name)) throw new Error(`no ${node.name}`);
	if ("overloads" in node && node.overloads.length === 0)
		throw new Error(`${node.kind}: undecided`);
	if ("range" in node) {
		assertSound(scope, node.range, locals);
		const inner = new Set([...locals, ...node.variables.filter((name) => name !== undefined)]);
		for (const child of perTurn(node)) assertSound(scope, child, inner);
	} else if (node.kind === "bind") {
		assertSound(scope, node.value, locals);
		assertSound(scope, node.body, new Set([...locals, node.variable]));
	} else {
		for (const child of childrenOf(node)) assertSound(scope, child, locals);
	}
}

const TYPE_NAMES = new Set(
	`bool bytes double google.protobuf.Duration google.protobuf.Timestamp int list map null_type
	optional_type string type uint`.split(/\s+/),
);

/** @returns whether the source is a valid expression */
function tried(source: string): boolean {
	const parsed = parse(source);
	if (!parsed.ok) {
		assertFault(source, parsed.fault);
		return false;
	}
	const { tree, expr } = parsed;
	expect(expr.depth).toBeLessThanOrEqual(LIMITS.expressionDepth);
	expect(tree.size).toBeLessThanOrEqual(LIMITS.expressionNodes);
	const scope = new Scope(tree, "outbound");
	const checked = check(scope, expr);
	for (const fault of scope.faults) assertFault(source, fault);
	expect(scope.faults.length).toBeLessThanOrEqual(LIMITS.problemsPerExpression);
	if (scope.faults.length > 0) return false;
	assertSound(scope, checked.expr, new Set());
	return true;
}

/** Checks that many sources, and that neither all nor none of them are valid. */
function fuzz(share: number, sources: fc.Arbitrary<string>): void {
	let valid = 0;
	let invalid = 0;
	const property = fc.property(sources, (source) => {
		if (tried(source)) valid++;
		else invalid++;
	});
	fc.assert(property, { numRuns: Math.ceil(CASES * share) });
	expect(Math.min(valid, invalid)).toBeGreaterThan(0);
}

const sourcesOf = (suite: IncrementalTestSuite): string[] => [
	...suite.tests.map(({ original }) => original.expr),
	...suite.suites.flatMap(sourcesOf),
];

const LITERALS: Readonly<Record<string, string>> = {
	bool: "true",
	bytes: "b'a'",
	double: "1.5",
	int: "7",
	string: "'a'",
	uint: "7u",
	timestamp: "timestamp(0)",
	duration: "duration('1s')",
	dyn: "dyn(1)",
	"list<string>": "['a']",
};

/** A call of every function, right or not. */
const CALLS = [...DECLARATIONS].flatMap(([name, overloads]) =>
	overloads.map(({ isMethod, parameters }) => {
		const args = parameters.map((type) => LITERALS[typeName(type)] ?? "dyn([1])");
		const list = args.slice(isMethod ? 1 : 0).join(", ");
		return isMethod ? `${args[0]}.${name}(${list})` : `${name}(${list})`;
	}),
);

const CORPUS: readonly string[] = [
	...sourcesOf(getConformanceSuite()),
	...CALLS,
	...VARIABLES.keys(),
	"req.headers['x'].exists(v, v.startsWith('a')) && !(conn.client_ip in ['::1'])",
	"req.method == 'POST' ? req.content_length > 10000 : res.status_code in [500, 502]",
	"cel.bind(c, getReqCookie('a').value, c == '' || c.matches(r'^\\d+$'))",
	"req.cookies.transformMap(k, v, v.size() > 0, v[0].value).?session.orValue('') != ''",
	"inCidrRanges(conn.client_ip, ['10.0.0.0/8', 'fd00::/8']) || rand.double() < 0.5",
	"{?'a': optional.none(), 'b': [?optional.of(1), 2].sortBy(x, -x)}.?b.optMap(l, l[0]).value()",
];

/** Its words, symbols and literals. */
function tokensOf(source: string): string[] {
	const result = tokenize(source);
	if (!result.ok) return [...source];
	return result.tokens.map(({ start, end }) => source.slice(start, end));
}

type Change = readonly [kind: number, at: number, other: number];

/** A token deleted, doubled, swapped with another, or replaced by one of another source. */
function changed(tokens: readonly string[], [kind, at, other]: Change): string[] {
	const index = at % Math.max(tokens.length, 1);
	const token = tokens[index] ?? "";
	if (kind === 0) return tokens.toSpliced(index, 1);
	if (kind === 1) return tokens.toSpliced(index, 0, token);
	if (kind === 2) {
		const second = other % Math.max(tokens.length, 1);
		return tokens.with(index, tokens[second] ?? "").with(second, token);
	}
	const foreign = tokensOf(CORPUS[other % CORPUS.length] ?? "");
	return tokens.toSpliced(index, 1, foreign[at % foreign.length] ?? "");
}

const change = fc.tuple(fc.nat(3), fc.nat(1000), fc.nat(100_000));

test("expressions with words deleted, doubled, swapped and exchanged", () => {
	const mutated = fc
		.tuple(fc.constantFrom(...CORPUS), fc.array(change, { maxLength: 4 }), fc.boolean())
		.map(([source, changes, spaced]) => {
			let tokens = tokensOf(source);
			for (const each of changes) if (tokens.length > 0) tokens = changed(tokens, each);
			return tokens.join(spaced ? " " : "");
		});
	fuzz(0.6, mutated);
});

test("strings, and bytes taken for UTF-8", () => {
	const piece = fc.constantFrom(
		..."()[]{}?.,:+-*/%<>=!&|'\"`\\ \n1xreub".split(""),
		"\ud800",
		"é",
		"😀",
	);
	const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => new TextDecoder().decode(each));
	fuzz(
		0.25,
		fc.oneof(
			fc.string({ unit: "binary" }),
			fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
			bytes,
		),
	);
});

test("literals of any length", () => {
	const digits = fc
		.integer({ min: 1, max: 400 })
		.chain((length) => fc.constantFrom("0", "1", "9", "f").map((digit) => digit.repeat(length)));
	const number = fc
		.tuple(
			fc.constantFrom("", "0x", "-", "1e", "1.", ".", "1e-"),
			digits,
			fc.constantFrom("", "u", "e9", "."),
		)
		.map((parts) => parts.join(""));
	const character = fc.constantFrom(
		..."\\n \\x41 \\101 \\u00e9 \\U0001f600 \\ud800 \\U00110000 \\x \\8 \\. a é ' \" \n".split(" "),
	);
	const text = fc
		.tuple(
			fc.constantFrom("", "r", "b", "br", "rb"),
			fc.constantFrom("'", '"', "'''", '"""'),
			fc.array(character),
		)
		.map(([prefix, quote, body]) => prefix + quote + body.join("") + quote);
	fuzz(0.1, fc.oneof(number, text));
});

const SIZE = LIMITS.expressionBytes;

test("anything nested, to any depth", () => {
	const level = fc.constantFrom<readonly [string, string]>(
		...[
			"(|)",
			"[|]",
			"{1:|}",
			"!|",
			"-|",
			"[1]+|",
			"true?|:1",
			"true||(|)",
			"dyn(|)",
			"[|][0]",
		].map((each) => each.split("|") as [string, string]),
		["[1].map(x,", ")"],
		["[1].all(x,", ")"],
		["{1:2}.transformMap(k,v,", ")"],
		["cel.bind(x,1,", ")"],
		["optional.of(1).optMap(x,", ")"],
		["[?optional.of(", ")]"],
		["math.greatest(1,2,", ")"],
		["", ".?a"],
		["", "[?0]"],
		["has(", ".a)"],
	);
	const nested = fc
		.tuple(fc.array(level, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 200 }))
		.map(([levels, times]) => {
			const opening = levels
				.map(([open]) => open)
				.join("")
				.repeat(times);
			const closing = levels
				.toReversed()
				.map(([, close]) => close)
				.join("")
				.repeat(times);
			return `${opening}1${closing}`.slice(0, SIZE);
		});
	fuzz(0.02, nested);
});

test("types that hang together by their open parts", () => {
	const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
	const variable = fc.constantFrom(...names);
	const { term } = fc.letrec<{ term: string }>((tie) => ({
		term: fc.oneof(
			{ maxDepth: 3 },
			variable,
			fc.constantFrom("[]", "{}", "1", "'a'", "dyn(1)", "optional.none()", "null"),
			tie("term").map((each) => `[${each}]`),
			fc.tuple(tie("term"), tie("term")).map(([key, value]) => `{${key}: ${value}}`),
			fc.tuple(variable, tie("term")).map(([map, key]) => `${map}[${key}]`),
			tie("term").map((each) => `optional.of(${each})`),
			tie("term").map((each) => `${each}.transformMap(k, v, k)`),
		),
	}));
	const equation = fc
		.tuple(term, fc.constantFrom("==", "in", "+"), term)
		.map((parts) => `dyn(${parts.join(" ")})`);
	const opened = fc
		.tuple(fc.array(fc.constantFrom("[]", "{}", "optional.none()", "[][0]")), fc.array(equation))
		.map(([inits, equations]) =>
			names.reduceRight(
				(body, name, at) => `cel.bind(${name}, ${inits[at] ?? "[]"}, ${body})`,
				`[${equations.join(", ")}]`,
			),
		);
	fuzz(0.03, opened);
});

test("types that double with every variable stay small", () => {
	const names = Array.from({ length: 50 }, (_, at) => `v${at}`);
	const bound = (init: string, equations: (name: string, next: string) => string): string =>
		names.reduceRight(
			(body, name) => `cel.bind(${name}, ${init}, ${body})`,
			names
				.slice(1)
				.map((next, at) => equations(`v${at}`, next))
				.join(" && "),
		);
	const sources = [
		bound("[]", (name, next) => `${name} == [{${next}[0]: ${next}[0]}]`),
		bound("{}.transformMap(k, v, k)", (name, next) => `${name}[${next}] == ${next}`),
		bound("[]", (name, next) => `${name} == [[[[[[[[${next}]]]]]]]]`),
	];
	for (const source of sources) expect(tried(source)).toBe(true);
});

test("masses of faults are cut short", () => {
	const many = (part: string): string => Array(600).fill(part).join(" || ");
	for (const part of ["req.nope", "nope(1)", "1 + 'a'", "'a'.matches('(')", "[1].map(x)"]) {
		expect(tried(many(part).slice(0, SIZE))).toBe(false);
	}
});
