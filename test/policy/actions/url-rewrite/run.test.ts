import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copyAttributes } from "../../../../src/cel/attributes-copy.ts";
import {
	EvaluationFailure,
	isSuspension,
	type Pattern,
	type Settlement,
	type Suspension,
} from "../../../../src/cel/expression.ts";
import { settle } from "../../../../src/cel/settle.ts";
import { ok } from "../../../../src/errors.ts";
import { parseUrl } from "../../../../src/http/target.ts";
import { LIMITS } from "../../../../src/limits/limits.ts";
import { urlRewrite } from "../../../../src/policy/actions/url-rewrite.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";
import { patterns } from "../../../cel/pattern/generated.ts";
import { compiled, exchangeOf, type FakeExchange, inbound, openingContext } from "../../support.ts";

const rewrite = (from: string, to: string, format?: string): unknown =>
	inbound({ type: "url-rewrite", config: { from, to, ...(format && { format }) } });

/** @param looks see `settlement` */
function rewritten(url: string, from: string, to: string, format?: string, looks?: number): string {
	const exchange = exchangeOf({ url, headers: [["x", "a"]] });
	const policy = compiled(rewrite(from, to, format));
	let outcome = policy.inbound(exchange);
	while (outcome.kind === "suspended") {
		outcome = policy.resume(
			exchange,
			outcome.run,
			settlement(outcome.run.suspension, exchange, looks),
		);
	}
	if (outcome.kind === "continue") return exchange.url.full;
	return `${outcome.kind}: ${exchange.failures[0]?.message}`;
}

/** As another thread has it. @param looks at the clock after which its time is over */
const settlement = (
	{ source, phase, wants, reads }: Suspension,
	exchange: FakeExchange,
	looks = 50,
) => {
	const attributes = structuredClone(copyAttributes(exchange, reads));
	const settled = settle({ source, phase, wants, attributes }, () => () => looks-- > 0);
	return settled instanceof EvaluationFailure ? settled : structuredClone(settled);
};

describe("replaces every match in the whole URL", () => {
	test.each([
		[
			"http://h/v0/user/42?x=1",
			"v0/user/([0-9]+).*",
			"v1/user?id=$1&$args",
			"http://h/v1/user?id=42&x=1",
		],
		["http://h/v0/user/42", "v0/user/([0-9]+).*", "v1/user?id=$1&$args", "http://h/v1/user?id=42&"],
		["http://h/v0/admin?x=1", "v0/admin.*", "v1/admin?$is_args$args", "http://h/v1/admin??x=1"],
		["http://h/products?q=1", "/products", "/products.php", "http://h/products.php?q=1"],
		["http://h/a/a?a", "a", "b", "http://h/b/b?b"],
		["http://h/a", "nothing", "b", "http://h/a"],
		["http://h/a", "/a$", "", "http://h/"],
		[
			"http://h:81/a?b=1&c=2",
			"/a.*",
			"/$scheme/$host$uri?$arg_c&$request_uri",
			"http://h:81/http/h/a?2&/a?b=1&c=2",
		],
		["http://h/a", "http://h/", "https://other:8443/", "https://other:8443/a"],
		["http://h/ab", "/(a)|(x)b", "/$1-$2", "http://h/a-b"],
		["http://h/xy", "(?P<first>x)(y)", "${2}${first}$first", "http://h/yxx"],
		["http://h/a", "a", "$$1$${x}", "http://h/$1$%7Bx%7D"],
	])("%s  %s → %s", (url, from, to, expected) => {
		expect(rewritten(url, from, to)).toBe(expected);
	});

	test("as replacing with a JavaScript expression does, for patterns that mean the same", () => {
		const pattern = fc.constantFrom("a", "b+", "(a)(b)?", "[ab]c", "c$", "(?:ab)+", "a|bc");
		const path = fc.stringMatching(/^[abc/]{0,12}$/);
		fc.assert(
			fc.property(path, pattern, fc.constantFrom("x", "", "xy", "x/"), (rest, from, to) => {
				const url = `http://h/${rest}`;
				expect(rewritten(url, from, to)).toBe(url.replace(new RegExp(from, "g"), to));
			}),
		);
	});
});

describe("format cel", () => {
	test.each([
		["http://h/u/7", "/u/([0-9]+)", "/v/$1?m=${req.method}", "http://h/v/7?m=GET"],
		[
			"http://h/u/7",
			"/u/(?P<id>[0-9]+)",
			"/v/${id}/${1}/${req.headers['x'][0]}",
			"http://h/v/7/7/a",
		],
		["http://h/u", "u", "$${x}", "http://h/$%7Bx%7D"],
		["http://h/u", "nothing", "${req.headers['missing'][0]}", "http://h/u"],
	])("%s  %s → %s", (url, from, to, expected) => {
		expect(rewritten(url, from, to, "cel")).toBe(expected);
	});

	test("what an expression yields is not looked at again", () => {
		const exchange = exchangeOf({ url: "http://h/u/7", headers: [["x", "$1"]] });
		compiled(rewrite("u/(7)", "${req.headers['x'][0]}", "cel")).inbound(exchange);
		expect(exchange.url.full).toBe("http://h/$1");
	});

	test("an expression that fails ends the request, or under skip the rule", () => {
		const value = rewrite("u", "${req.headers['missing'][0]}", "cel");
		const exchange = exchangeOf({ url: "http://h/u" });
		expect(compiled(value).inbound(exchange).kind).toBe("failed");
		expect(compiled(value, { expressionErrors: "skip" }).inbound(exchange).kind).toBe("continue");
		expect(exchange.url.full).toBe("http://h/u");
		expect(exchange.failures).toHaveLength(2);
	});
});

describe("results that are no request target are never sent", () => {
	test.each([
		["http://h/a", "http://h", "ftp://h"],
		["http://h/a", "http://h/a", "/a"],
		["http://h/a", "a", "b c"],
		["http://h/a", "a", "b\nc"],
		["http://h/a", "a", "#c"],
		["http://h/a", "h/", "h:99999/"],
		["http://h/a", "a", "%zz"],
	])("%s  %s → %j", (url, from, to) => {
		for (const expressionErrors of ["reject", "skip"] as const) {
			const exchange = exchangeOf({ url });
			const outcome = compiled(rewrite(from, to), { expressionErrors }).inbound(exchange);
			expect(outcome.kind).toBe("failed");
			expect(exchange.url.full).toBe(url);
			expect(exchange.failures).toHaveLength(1);
		}
	});

	test("nor those that grew too long, however many matches there are", () => {
		const url = `http://h/${"a".repeat(30_000)}`;
		expect(url.length).toBeLessThan(LIMITS.rewrittenUrlCharacters);
		expect(rewritten(url, "a", "$request_uri")).toBe("failed: the rewritten URL is too long");
	});

	test("nor those whose pattern looks at all the rest again for each of many matches", () => {
		const most = Math.floor(Math.sqrt(LIMITS.rewriteScanCharacters));
		expect(rewritten(`http://h/${"x".repeat(most - 9)}`, "x", "y")).toBe(
			`http://h/${"y".repeat(most - 9)}`,
		);
		const long = `http://h/${"x".repeat(10_000)}`;
		expect(rewritten(long, "x", "y")).toBe(
			"failed: the pattern matches too often in a URL of this length",
		);
		const longest = `http://h/${"x".repeat(60_000)}`;
		expect(rewritten(longest, "(?:x.*){40}!|x", "y", undefined, 2)).toBe(
			"failed: the pattern takes too long for a URL of this length",
		);
	});
});

test("later rules and actions see the new URL; variables are those before each rewrite", () => {
	const policy = compiled({
		inbound: [
			{
				actions: [
					{ type: "url-rewrite", config: { from: "/a", to: "/b" } },
					{ type: "url-rewrite", config: { from: "/b", to: "/c?$uri" } },
				],
			},
			{ expressions: ["req.url.path == '/c'"], actions: [{ type: "deny" }] },
		],
	});
	const exchange = exchangeOf({ url: "http://h/a" });
	expect(policy.inbound(exchange).kind).toBe("deny");
	expect(exchange.url.full).toBe("http://h/c?/b");
});

/** Tells a cost of its own, so that a rewrite is suspended in a short URL, or never. */
class CostingCompiler extends Compiler {
	readonly #cost: number;

	constructor(cost: number) {
		super();
		this.#cost = cost;
	}

	override pattern(source: string): ReturnType<Compiler["pattern"]> {
		const compiled = super.pattern(source);
		if (!compiled.ok) return compiled;
		const pattern: Pattern = compiled.value;
		return ok({
			groupCount: pattern.groupCount,
			groupNames: pattern.groupNames,
			test: (text) => pattern.test(text),
			replace: (text, replacement, matches) => pattern.replace(text, replacement, matches),
			replaceCost: () => this.#cost,
			findAll: (text, most, goesOn) => pattern.findAll(text, most, goesOn),
		});
	}
}

/** @param settleSearch what the thread makes of it; undefined: the search is not suspended */
function run(
	config: Record<string, unknown>,
	url: string,
	settleSearch: ((search: Suspension, exchange: FakeExchange) => Settlement) | undefined,
) {
	const compiler = new CostingCompiler(settleSearch === undefined ? 0 : Infinity);
	const prepared = urlRewrite.prepare(config, "inbound", compiler);
	if (!prepared.ok) return undefined;
	const action = prepared.value(openingContext());
	const exchange = exchangeOf({ url, headers: [["x", "a/$1"]] });
	const settled = new Map<Suspension, Settlement>();
	let searches = 0;
	let outcome = action.run(exchange);
	while (isSuspension(outcome)) {
		if (settled.has(outcome)) throw new Error("suspended again");
		if (outcome.wants === "matches") searches++;
		const search = settleSearch ?? settlement;
		settled.set(outcome, search(outcome, exchange));
		outcome = action.run(exchange, settled);
	}
	return { searches, result: { outcome, url: exchange.url.full, failures: exchange.failures } };
}

describe("a search that may take long", () => {
	test("property: comes out as one that is made at once", () => {
		let [compared, changed] = [0, 0];
		const from = fc.oneof(
			fc.constantFrom("a", "(a)|(b)", "/(a*)(b?)", "a*|", "(.*)", "b+(/)?", "^http://h", "$"),
			patterns.filter((source) => source !== "" && !source.includes("${")),
		);
		const url = fc
			.stringMatching(/^[abcAks019/.-]{0,16}(?:\?[ab=&]{0,8})?$/)
			.filter((rest) => parseUrl(`http://h/${rest}`) !== undefined);
		const to = fc.constantFrom(
			["x", "nginx"],
			["", "nginx"],
			["<$1|$2>", "nginx"],
			["$1$request_uri$1", "nginx"],
			["/${req.method}/$1", "cel"],
			["${req.headers['x'][0]}", "cel"],
			["${req.headers['missing'][0]}", "cel"],
			["${req.url.path.split('/').map(a, a + 'b').join('/')}", "cel"],
		);
		fc.assert(
			fc.property(from, url, to, (source, rest, [replacement, format]) => {
				const config = { from: source, to: replacement, format };
				const before = `http://h/${rest}`;
				const atOnce = run(config, before, undefined);
				const later = run(config, before, settlement);
				expect(later?.result).toEqual(atOnce?.result);
				if (later === undefined) return;
				expect([atOnce?.searches, later.searches]).toEqual([0, 1]);
				compared++;
				if (later.result.url !== before || later.result.failures.length > 0) changed++;
			}),
			{ numRuns: 1000 },
		);
		expect(compared).toBeGreaterThan(400);
		expect(changed).toBeGreaterThan(100);
	});

	test("that fails ends the request under any setting: nobody gets past a rewrite", () => {
		const late = () => new EvaluationFailure("not done in time");
		const config = { from: "a", to: "b" };
		const ended = run(config, "http://h/a", late);
		expect(ended?.result).toMatchObject({
			outcome: { kind: "failed" },
			url: "http://h/a",
			failures: [{ message: "not done in time" }],
		});
		for (const expressionErrors of ["reject", "skip"] as const) {
			const url = `http://h/${"x".repeat(60_000)}`;
			const exchange = exchangeOf({ url });
			const policy = compiled(rewrite("x.*!|x", "y"), { expressionErrors });
			const outcome = policy.inbound(exchange);
			if (outcome.kind !== "suspended") throw new Error("not suspended");
			expect(policy.resume(exchange, outcome.run, late()).kind).toBe("failed");
			expect(exchange.url.full).toBe(url);
		}
	});

	test("reads the URL only, and is the same for each request", () => {
		const policy = compiled(rewrite("(.*)/x(.*)", "$1"));
		const [one, other] = [1, 2].map(() =>
			policy.inbound(exchangeOf({ url: `http://h/${"x/".repeat(30_000)}` })),
		);
		if (one?.kind !== "suspended" || other?.kind !== "suspended") throw new Error("not suspended");
		expect(one.run.suspension).toBe(other.run.suspension);
		expect(one.run.suspension).toMatchObject({
			source: "(.*)/x(.*)",
			wants: "matches",
			reads: ["url.full"],
		});
	});
});
