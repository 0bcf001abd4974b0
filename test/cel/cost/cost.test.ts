/**
 * Estimates hold: whatever an expression does over whatever request, it charges no more than was estimated.
 * `COST_CASES` and `COST_SEED` for more cases.
 */
import { describe, expect, it } from "vitest";
import type { Attributes } from "../../../src/cel/attributes.ts";
import { BUDGET, OutOfBudget } from "../../../src/cel/budget.ts";
import { costFault, estimateCost } from "../../../src/cel/cost/cost.ts";
import { Inputs } from "../../../src/cel/cost/input-sizes.ts";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { assemble } from "../../../src/cel/lower/assemble.ts";
import { openCode } from "../../../src/cel/lower/open.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ATTRIBUTES, headerLines } from "../attributes.ts";
import { checkedTree, checkSource } from "../checked.ts";
import { Generator, TYPES } from "../generator.ts";
import { attributesOf } from "../generator-attributes.ts";
import { pick, type Random, randomFrom } from "../generator-random.ts";
import { shrunk, type Term, written } from "../generator-term.ts";

const CASES = Number(process.env.COST_CASES ?? 400);
const SEED = Number(process.env.COST_SEED ?? 1);
const ENOUGH = 1e11;

/** Nanoseconds that the evaluation charges. */
function charged(source: string, attributes: Attributes): number {
	const { scope, expr } = checkedTree(source);
	const run = openCode(assemble(scope, expr, "text", true, { folds: 0 }).code);
	BUDGET.left = ENOUGH;
	try {
		run({ ...attributes, derived: undefined });
	} catch (error) {
		if (!(error instanceof EvaluationFailure || error instanceof OutOfBudget)) throw error;
	} finally {
		BUDGET.left = ENOUGH - BUDGET.left;
	}
	const spent = BUDGET.left;
	BUDGET.left = Number.POSITIVE_INFINITY;
	return spent;
}

/** The bounds that this one exchange keeps. */
function inputsOf({ url, requestHeaders, responseHeaders }: Attributes): Inputs {
	const characters = (lines: Attributes["requestHeaders"]): number => {
		const values = lines.names().flatMap((name) => [name, ...lines.lines(name), "    "]);
		return values.join("").length;
	};
	const lines = requestHeaders.names().flatMap((name) => requestHeaders.lines(name));
	return new Inputs({
		requestHeaderBytes: characters(requestHeaders) + url.raw.length + url.full.length,
		requestHeaderLines: lines.length,
		responseHeaderBytes: characters(responseHeaders),
	});
}

/** Sometimes with many lines, or long ones, or both. */
function exchangeOf(random: Random): Attributes {
	const attributes = attributesOf(random);
	const extent = random();
	if (extent < 0.5) return attributes;
	const count = Math.floor(random() * 60);
	const length = extent < 0.7 ? 5 : Math.floor(random() * 3000);
	const lines = Array.from({ length: count }, (_, at) => {
		const name = pick(random, ["x", "cookie", `h${at}`]);
		const text = pick(random, ["a=b; ", "x, ", "€", "1", "[{}],"]);
		return [name, text.repeat(1 + Math.floor(length / text.length))] as const;
	});
	return { ...attributes, requestHeaders: headerLines(lines) };
}

/** How much more is charged than was estimated. */
function excess(source: string, attributes: Attributes): number {
	const { scope, expr } = checkedTree(source);
	return charged(source, attributes) - estimateCost(scope, expr, inputsOf(attributes));
}

describe("an evaluation", () => {
	it("charges no more than was estimated", () => {
		const counts = { refused: 0, held: 0, charging: 0 };
		for (let index = 0; index < CASES; index++) {
			const random = randomFrom(SEED * 1_000_003 + index);
			const term = new Generator(random).term(pick(random, TYPES), 1 + (index % 6));
			const attributes = exchangeOf(random);
			const isExceeded = (each: Term): boolean => {
				const source = written(each, "weir");
				return checkSource(source).ok && excess(source, attributes) > 0;
			};
			const source = written(term, "weir");
			if (!checkSource(source).ok) {
				counts.refused++;
				continue;
			}
			if (isExceeded(term)) {
				const smallest = written(shrunk(term, isExceeded), "weir");
				expect.fail(`${smallest} exceeds its estimate by ${excess(smallest, attributes)} ns`);
			}
			counts.held++;
			if (index % 4 === 0 && charged(source, attributes) > 0) counts.charging++;
		}
		expect(counts.held).toBeGreaterThan(CASES / 2);
		expect(counts.charging).toBeGreaterThan(CASES / 40);
	});

	it.each([
		"req.headers.exists(h, req.headers[h].exists(v, v.contains('xy')))",
		"req.headers.map(h, req.headers[h].join(',')).join(';').contains('q')",
		"req.cookies.all(n, req.cookies[n].all(c, c.value.matches('^[a-z]+$')))",
		"req.url.query_params.exists(n, req.url.query_params[n].exists(v, v == n))",
		"req.headers.exists(h, v, v.exists(x, x.lowerAscii() == h))",
		"req.headers.transformMap(h, v, v.size()).exists(k, n, n > 3 && k > 'a')",
		"req.headers['x'].map(v, v + v).sort().distinct().size() > 2",
		"req.headers.exists(a, req.headers.exists(b, req.headers[a] == req.headers[b] && a != b))",
		"req.headers.exists(h, v, v.exists(x, v.exists(y, x < y + 'z' && x == 'q')))",
		"lists.range(10000).map(i, 'abcdefghijklmnop').join('').upperAscii().lowerAscii().reverse() == 'x'",
		"cel.bind(a, lists.range(10000), cel.bind(b, lists.range(10000), [1, 2, 3, 4, 5, 6, 7, 8, 9].exists(x, a != b)))",
		"lists.range(10).exists(a, lists.range(10).exists(b, lists.range(10).exists(c, a + b + c == 27 + req.content_length)))",
		"lists.range(10000).slice(5, 4000).map(i, string(i)).slice(10, 3000).sort().join('') == 'x'",
		"req.headers.exists(h, req.headers[h].exists(v, v.split(',', 3).exists(p, p.split('y').slice(0, 1).exists(x, x + p == v))))",
		"cel.bind(all, req.headers.map(h, req.headers[h]).flatten(), all.exists(x, x in all))",
	])("of %s charges no more than was estimated of the largest requests", (source) => {
		const characters = 12_000;
		let spent = 0;
		for (let index = 0; index < 8; index++) {
			const count = 1 + ((index * 13) % 90);
			const each = Math.floor(characters / count);
			const lines = Array.from({ length: count }, (_, at) => {
				const name = index % 2 === 0 ? `n${at}` : "x";
				return [name, (index % 3 === 0 ? "a=b;" : "xyz,").repeat(each / 4)] as const;
			});
			const query = Array.from({ length: 300 }, (_, at) => `q${at}=q${at}`).join("&");
			const url = { ...ATTRIBUTES.url, query, full: `${query}${query}` };
			const cookie = "abc=defg;".repeat(100);
			const requestHeaders = headerLines([...lines, ["cookie", cookie]]);
			const attributes = { ...ATTRIBUTES, url, requestHeaders };
			spent += charged(source, attributes);
			expect(excess(source, attributes)).toBeLessThanOrEqual(0);
		}
		expect(spent).toBeGreaterThan(0);
	});
});

function estimate(source: string): number {
	const { scope, expr } = checkedTree(source);
	return estimateCost(scope, expr);
}

describe("an estimate", () => {
	it.each([
		"req.method == 'GET'",
		"req.url.path.startsWith('/x') && req.method in ['GET', 'HEAD']",
		"'x-token' in req.headers && req.headers['x-token'][0] == 'abc'",
		"conn.geo.country_code in ['BR', 'DE', 'FR', 'GB', 'US']",
		"inCidrRanges(conn.client_ip, ['10.0.0.0/8', '192.168.0.0/16'])",
		"getReqHeader('accept').exists(v, v == 'text/html')",
		"req.content_length > 1000 || conn.tls.version == '1.0'",
		"time.now.getHours('America/Sao_Paulo') < 3",
	])("of %s says: cheap whatever the request", (source) => {
		expect(estimate(source)).toBeLessThan(LIMITS.heavyAboveNanoseconds);
	});

	it("of a look at every header line grows with all characters, not with lines times the longest", () => {
		const nanoseconds = estimate(
			"req.headers.exists(h, req.headers[h].exists(v, v.contains('x')))",
		);
		const one = estimate("req.user_agent.contains('x')");
		expect(nanoseconds).toBeLessThan(4 * one);
		const cookies = "req.cookies.all(n, req.cookies[n].all(c, c.value.matches('^[a-z]+$')))";
		expect(estimate(cookies)).toBeLessThan(1e9);
	});

	it("of loops within loops grows with each", () => {
		const loops = (count: number): number =>
			estimate(
				`${Array.from({ length: count }, (_, at) => `req.url.query_params.exists(q${at}, `).join("")}true${")".repeat(count)}`,
			);
		for (const count of [2, 3]) {
			expect(loops(count + 1)).toBeGreaterThan(10_000 * loops(count));
		}
	});

	it("counts the text of a value that a template shows", () => {
		expect(estimate("req.headers")).toBeGreaterThan(estimate("req.headers == req.headers"));
	});
});

describe("a hopeless expression", () => {
	const faultOf = (source: string) => {
		const { scope, expr } = checkedTree(source);
		return costFault(scope, expr);
	};

	it("is refused with what makes it so, and where", () => {
		const source =
			"req.method == 'GET' && req.url.query_params.exists(a, req.url.query_params.exists(b, req.url.query_params.exists(c, a.contains(b + c))))";
		const fault = faultOf(source);
		expect(fault?.code).toBe("expression_too_complex");
		expect(fault?.message).toMatch(
			/^the expression could take .*days for one request: 3 loops within each other over up to 32,769, 32,769, 32,769 elements$/,
		);
		expect(source.slice(fault?.offset)).toBe("contains(b + c))))");
	});

	it("is not one that the budget can settle", () => {
		expect(
			faultOf("req.url.query_params.exists(a, req.url.query_params.exists(b, a.contains(b)))"),
		).toBeUndefined();
		expect(faultOf("req.method == 'GET'")).toBeUndefined();
	});

	it.each([
		["lists.range(10)", "lists.range(10000)"],
		["lists.range(req.content_length).slice(5, 15)", "lists.range(req.content_length)"],
		["req.url.path.split('/', 10).map(x, size(x))", "req.url.path.split('/').map(x, size(x))"],
		[
			"req.url.path.split('/').slice(0, 10).map(x, size(x))",
			"req.url.path.split('/', -1).map(x, size(x))",
		],
	])("is none of three loops over %s, as it would be over %s", (few, many) => {
		const loops = (list: string): string =>
			`${list}.exists(a, ${list}.exists(b, ${list}.exists(c, a + b + c == 27 + req.content_length)))`;
		expect(faultOf(loops(few))).toBeUndefined();
		expect(faultOf(loops(many))?.code).toBe("expression_too_complex");
	});
});
