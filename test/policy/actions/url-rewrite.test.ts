import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits.ts";
import { compiled, exchangeOf, inbound, problemsOf } from "../support.ts";

const rewrite = (from: string, to: string, format?: string): unknown =>
	inbound({ type: "url-rewrite", config: { from, to, ...(format && { format }) } });

function rewritten(url: string, from: string, to: string, format?: string): string {
	const exchange = exchangeOf({ url, headers: [["x", "a"]] });
	const outcome = compiled(rewrite(from, to, format)).inbound(exchange);
	if (outcome.kind === "continue") return exchange.url.full;
	return `${outcome.kind}: ${exchange.failures[0]?.message}`;
}

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

	test("expressions in the pattern are refused", () => {
		expect(problemsOf(rewrite("${req.method}", "x", "cel"))).toEqual([
			expect.stringContaining(
				"/inbound/0/actions/0/config/from invalid_pattern: expressions are allowed",
			),
		]);
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
		expect(rewritten(`http://h/${"x".repeat(10_000)}`, "x.*!|x", "y")).toBe(
			"failed: the pattern matches too often in a URL of this length",
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

test("an unknown format is refused together with what its expressions get wrong", () => {
	const [to, format] = problemsOf(rewrite("(a)", "$1${req.nothing..x}", "ngrok"));
	expect(format).toBe(
		'/inbound/0/actions/0/config/format unknown_value: unknown value "ngrok"; did you mean "cel"? Valid values: "nginx", "cel"',
	);
	expect(to).toContain("/inbound/0/actions/0/config/to ");
});
