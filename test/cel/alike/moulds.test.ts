/**
 * Expressions that are cast like others: whatever was compiled before, the program, the problems, the estimate and what lint
 * sees are those of compiling the expression by itself. `MOULD_CASES` and `MOULD_SEED` for more.
 */
import { describe, expect, test } from "vitest";
import { Moulds } from "../../../src/cel/alike/moulds.ts";
import { partProgram, predicateProgram } from "../../../src/cel/compile.ts";
import { knownCost } from "../../../src/cel/cost/cost.ts";
import type { Phase } from "../../../src/cel/expression.ts";
import type { ExpressionProgram } from "../../../src/cel/expression-program.ts";
import { openPredicate, type PredicateProgram } from "../../../src/cel/program.ts";
import type { Node } from "../../../src/cel/tree/node.ts";
import { childrenOf } from "../../../src/cel/tree/parts.ts";
import { inspect } from "../../../src/policy/lint/expression.ts";
import { ATTRIBUTES } from "../attributes.ts";
import { Generator, TYPES } from "../generator.ts";
import { pick, type Random, randomFrom } from "../generator-random.ts";
import { written as sourceOf } from "../generator-term.ts";

const CASES = Number(process.env.MOULD_CASES ?? 1500);
const SEED = Number(process.env.MOULD_SEED ?? 1);

/** The tree as lints read it. */
const treeOf = (node: Node): unknown => [
	node.kind,
	...["name", "operator", "field", "macro", "variable", "variables", "optionalIndices"].map(
		(member) => (member in node ? node[member as keyof Node] : undefined),
	),
	node.kind === "constant" ? node.value : undefined,
	childrenOf(node).map(treeOf),
];

/** All there is to know of a compiled source. @param moulds none: by itself */
function compiled(
	source: string,
	phase: Phase,
	wants: "bool" | "text" | "value",
	moulds?: Moulds<never>,
): string {
	const seen: unknown[] = [];
	const note = (expr: Node): void => {
		seen.push(treeOf(expr), knownCost(expr), inspect(expr, undefined));
	};
	// Of no kind anything is kept.
	const cold = moulds ?? new Moulds<never>(0);
	const made =
		wants === "bool"
			? predicateProgram(source, phase, note, cold as Moulds<PredicateProgram>)
			: partProgram(source, phase, wants, note, cold as Moulds<ExpressionProgram>);
	const shape = made.ok ? made.value.code.shape : undefined;
	return JSON.stringify({ made, shape, seen }, (_, value: unknown) => {
		if (typeof value === "bigint") return `${value}n`;
		if (value instanceof Map || value instanceof Set) return [...value];
		return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
	});
}

const TEXT = /'([^'\\\n\r]*)'|"([^"\\\n\r]*)"/g;
const OTHERS = [
	"''",
	"'a'",
	"'b'",
	"'GET'",
	"'/v1'",
	"'accept'",
	"'x-tenant'",
	"'vars'",
	"'tier'",
	"'10.0.0.0/8'",
	"'192.0.2.0/24'",
	"'10.0.0.0/33'",
	"'^a(b|c)*$'",
	"'('",
	"'3600s'",
	"'2024-02-29T00:00:00Z'",
	"'%s'",
	"'é'",
	`'${"long ".repeat(12)}'`,
	`'${"longer ".repeat(40)}'`,
	"\"quoted 'so'\"",
	"'\\n'",
	"r'\\d'",
];

/** The same expression with other texts in it, some of them. */
function sibling(source: string, random: Random): string {
	return source.replace(TEXT, (text) => {
		const other = random() < 0.5 ? text : pick(random, OTHERS);
		return other;
	});
}

/** As people write rules; each is met with many texts. */
const RULES = [
	"req.user_agent.contains('tool-1/')",
	"req.method == 'DELETE' && req.url.path != '/free/1'",
	"'blocked-1' in req.headers['x-tenant']",
	"inCidrRange(conn.client_ip, '10.0.1.0/24')",
	"inCidrRanges(conn.client_ip, ['10.0.1.0/24', '192.0.2.0/24'])",
	"req.headers['x-plan'] == ['plan-1', 'plan-2']",
	"req.url.path.startsWith('/old/1/') || req.url.path.startsWith('/older/1/')",
	"req.method == 'GET' || req.method == 'HEAD' || req.host == 'a.example'",
	"req.method == 'GET' && req.method == 'HEAD'",
	"conn.geo.country_code in ['BR', 'CN', 'DE', 'FR', 'IT', 'US']",
	"vars.tier == 'gold' && actions['rate_limit'].limited",
	"'tier' in vars || has(vars.x)",
	"req.url.path.matches('^/a') && req.host.matches('b$')",
	"'a' + 'b' == req.host || 'ab' == req.host",
	"('a' + 'b').size() > 1 && req.host == 'ab'",
	"['a', 'b'].exists(p, req.url.path.startsWith(p))",
	"getReqHeader('x') == 'y' || getReqHeader('y') == 'x'",
	"req.headers['x'][0] == 'x' && req.headers.x == ['x']",
	"timestamp('2024-01-01T00:00:00Z') < now && duration('60s') > duration('1s')",
	"req.host == 'a' ? req.method == 'b' : 'c' in ['c', 'd']",
	"dyn(req.host) == 'x' && req.host.lowerAscii() in ['x', 'y']",
];

function differences(source: string, random: Random, siblings: number): string[] {
	const found: string[] = [];
	const phase = pick(random, ["inbound", "outbound"] as const);
	for (const wants of ["bool", "text", "value"] as const) {
		const moulds = new Moulds<never>();
		for (let turn = 0; turn < siblings; turn++) {
			const each = turn < 2 ? source : sibling(source, random);
			if (compiled(each, phase, wants, moulds) !== compiled(each, phase, wants))
				found.push(`${wants}: ${each} after ${source}`);
		}
	}
	return found;
}

test("expressions made at random come out as by themselves, whatever like them was met", () => {
	const found: string[] = [];
	for (let index = 0; index < CASES && found.length < 10; index++) {
		const random = randomFrom(SEED * 1_000_003 + index);
		const term = new Generator(random).term(pick(random, TYPES), 1 + (index % 4));
		found.push(...differences(sourceOf(term, "weir"), random, 6));
	}
	expect(found).toEqual([]);
}, 0);

test("so do rules as people write them, with many texts", () => {
	const found: string[] = [];
	for (const [index, source] of RULES.entries()) {
		const random = randomFrom(SEED * 7919 + index);
		for (let round = 0; round < CASES / 50; round++)
			found.push(...differences(sibling(source, random), random, 8));
	}
	expect(found.slice(0, 10)).toEqual([]);
}, 0);

describe("a mould", () => {
	/** How often the source of a kind is read, over expressions of that kind. */
	function readings(sources: readonly string[], moulds: Moulds<PredicateProgram>): number {
		let read = 0;
		for (const source of sources) {
			const made = predicateProgram(source, "inbound", undefined, {
				compiled: (text, purpose, steps, note) =>
					moulds.compiled(
						text,
						purpose,
						{
							...steps,
							check(given) {
								read++;
								return steps.check(given);
							},
						},
						note,
					),
			} as Moulds<PredicateProgram>);
			if (!made.ok) throw new Error(source);
		}
		return read;
	}
	const numbers = Array.from({ length: 20 }, (_, n) => n);

	test("is made by the second of its kind, and spares the others from being read", () => {
		const moulds = new Moulds<PredicateProgram>();
		const sources = numbers.map(
			(n) => `req.user_agent.contains('tool-${n}/') && req.host == 'h${n}'`,
		);
		expect(readings(sources, moulds)).toBe(2);
	});

	test("is one for each text that decides more than a constant", () => {
		const moulds = new Moulds<PredicateProgram>();
		const sources = numbers.map((n) => `'v${n}' in req.headers['x-${n % 2}']`);
		// 0 and 1 are met, 2 is cast like 0, 3 is met again
		expect(readings(sources, moulds)).toBe(4);
	});

	test("is another's where only the kind of a text is the same", () => {
		const moulds = new Moulds<PredicateProgram>();
		// In each of them the same text decides more than a constant.
		const kinds = [
			(n: number) => `'v${n}' in req.headers['x-own']`,
			(n: number) => `getReqHeader('x-own') == ['v${n}']`,
			(n: number) => `hasReqHeader('x-own') && req.host == 'v${n}'`,
		];
		const sources = numbers.flatMap((n) => kinds.map((kind) => kind(n)));
		expect(readings(sources, moulds)).toBe(2 * kinds.length);
		for (const source of sources)
			for (const phase of ["inbound", "outbound"] as const)
				expect(compiled(source, phase, "bool", moulds as unknown as Moulds<never>)).toBe(
					compiled(source, phase, "bool"),
				);
	});

	test("is made by the next of its kind where the second has a text twice", () => {
		const of = (host: string, path: string) => `req.host == '${host}' || req.url.path == '${path}'`;
		const sources = numbers.map((n) => of(`a${n}`, `b${n}`));
		const moulds = new Moulds<PredicateProgram>();
		const all = [...sources.slice(0, 1), of("x", "x"), ...sources.slice(1)];
		expect(readings(all, moulds)).toBe(3);
	});

	test("is not used for a text that the code has already", () => {
		const moulds = new Moulds<PredicateProgram>();
		const alike = numbers.slice(0, 3).map((n) => `req.host == 'a${n}' || req.url.path == 'b${n}'`);
		expect(readings([...alike, "req.host == 'x' || req.url.path == 'x'"], moulds)).toBe(3);
	});

	test("yields what its own texts say", () => {
		const moulds = new Moulds<PredicateProgram>();
		const holds = numbers.map((n) => {
			const method = n % 3 === 0 ? ATTRIBUTES.method : `M${n}`;
			const made = predicateProgram(`req.method == '${method}'`, "inbound", undefined, moulds);
			return made.ok && openPredicate(made.value).evaluate(ATTRIBUTES);
		});
		expect(holds).toEqual(numbers.map((n) => n % 3 === 0));
	});

	test("kinds that are kept have a bound", () => {
		const moulds = new Moulds<PredicateProgram>(2);
		const of = (name: string) => `req.headers.${name} == ['x']`;
		expect(readings([of("a"), of("a"), of("a")], moulds)).toBe(2);
		// Two for certain, four at most.
		expect(readings([..."bcdea"].map(of), moulds)).toBe(5);
	});
});
