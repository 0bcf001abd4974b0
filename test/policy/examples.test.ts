/**
 * Policies of the kind that users of such products publish, end to end through the room: written, compiled,
 * evaluated. The expressions are real CEL; only the exchange is made of plain objects.
 */
import { describe, expect, test } from "vitest";
import {
	CountingLimiters,
	compiled,
	exchangeOf,
	type Given,
	problemsOf,
	warningsOf,
} from "./support.ts";

const SAMPLE = {
	enabled: true,
	inbound: [
		{
			name: "Old calls go to the new version",
			expressions: ["req.url.contains('v0/')"],
			actions: [
				{
					type: "url-rewrite",
					config: { format: "nginx", from: "v0/user/([0-9]+).*", to: "v1/user?id=$1&$args" },
				},
				{
					type: "url-rewrite",
					config: { format: "nginx", from: "v0/secret/admin.*", to: "v1/admin?$is_args$args" },
				},
			],
		},
		{
			name: "No big uploads from some countries",
			expressions: [
				"req.method == 'POST' && req.content_length > 10000",
				"conn.geo.country_code in ['BR', 'CN', 'UA']",
			],
			actions: [
				{
					type: "custom-response",
					config: {
						status_code: 401,
						content: "access denied",
						headers: { "content-type": "text/plain" },
					},
				},
			],
		},
		{
			name: "No crawlers",
			expressions: [
				"'ChatGPT' in req.headers['user-agent'] || 'GPTBot' in req.headers['user-agent']",
			],
			actions: [{ type: "deny", config: { status_code: 400 } }],
		},
	],
	outbound: [
		{
			name: "Log what went wrong",
			expressions: ["res.status_code < 200 || res.status_code > 300"],
			actions: [
				{
					type: "log",
					config: { metadata: { edgeId: "e", message: "Unsuccessful", routeId: "r" } },
				},
			],
		},
	],
};

const outcomeOf = (policy: unknown, given: Given) => {
	const exchange = exchangeOf(given);
	return { outcome: compiled(policy).inbound(exchange), url: exchange.url.full };
};
const rule = (expressions: readonly string[], type: string, config?: object) => ({
	inbound: [{ expressions, actions: [{ type, ...(config && { config }) }] }],
});

describe("the sample policy", () => {
	test.each([
		["http://h/v0/user/42?x=1", "http://h/v1/user?id=42&x=1"],
		["http://h/v0/user/42", "http://h/v1/user?id=42&"],
		["http://h/v0/secret/admin?x=1", "http://h/v1/admin??x=1"],
		["http://h/v1/user", "http://h/v1/user"],
	])("rewrites %s to %s", (url, expected) => {
		expect(outcomeOf(SAMPLE, { url })).toEqual({ outcome: { kind: "continue" }, url: expected });
	});

	test.each([
		["BR", 10_001, "respond"],
		["BR", 10_000, "continue"],
		["DE", 10_001, "continue"],
		["", 10_001, "continue"],
	])("from %j with %i bytes: %s", (country, contentLength, kind) => {
		const { outcome } = outcomeOf(SAMPLE, { method: "POST", country, contentLength });
		expect(outcome.kind).toBe(kind);
		if (outcome.kind === "respond") {
			expect(outcome).toEqual({
				kind: "respond",
				statusCode: 401,
				headers: [["content-type", "text/plain"]],
				content: "access denied",
			});
		}
	});

	test("matches whole header lines only, and lint says so", () => {
		const agent = (value: string): Given => ({ headers: [["User-Agent", value]] });
		expect(outcomeOf(SAMPLE, agent("ChatGPT")).outcome).toEqual({ kind: "deny", statusCode: 400 });
		expect(outcomeOf(SAMPLE, agent("Mozilla/5.0 ChatGPT-User/1.0")).outcome.kind).toBe("continue");
		expect(warningsOf(SAMPLE)).toMatchObject([
			{ pointer: "/inbound/2/expressions/0", code: "exact_header_match" },
		]);
	});

	test.each([
		[500, 1],
		[301, 1],
		[300, 0],
		[200, 0],
	])("a response with %i makes %i log lines", (responseStatus, count) => {
		const exchange = exchangeOf({ responseStatus });
		expect(compiled(SAMPLE).outbound(exchange).kind).toBe("continue");
		expect(exchange.logs).toHaveLength(count);
		if (count > 0) {
			expect(exchange.logs[0]).toEqual({ edgeId: "e", message: "Unsuccessful", routeId: "r" });
		}
	});
});

test("methods other than GET are denied", () => {
	const policy = rule(["req.method != 'GET'"], "deny");
	expect(outcomeOf(policy, {}).outcome.kind).toBe("continue");
	expect(outcomeOf(policy, { method: "DELETE" }).outcome).toEqual({
		kind: "deny",
		statusCode: 403,
	});
});

test("thirty requests a minute to one path, per client", () => {
	const policy = compiled(
		rule(["req.url.contains('/api/specific')"], "rate-limit", {
			name: "Only 30 a minute",
			algorithm: "sliding_window",
			capacity: 30,
			rate: "60s",
			bucket_key: ["conn.client_ip"],
		}),
		{ limiters: new CountingLimiters(59_001) },
	);
	const kinds = (url: string, clientIp: string, count: number) =>
		Array.from({ length: count }, () => policy.inbound(exchangeOf({ url, clientIp })));
	const outcomes = kinds("http://h/api/specific", "192.0.2.1", 31);
	expect(outcomes.slice(0, 30).every(({ kind }) => kind === "continue")).toBe(true);
	expect(outcomes[30]).toEqual({ kind: "limited", retryAfterSeconds: 60 });
	expect(kinds("http://h/other", "192.0.2.1", 1)[0]?.kind).toBe("continue");
	expect(kinds("http://h/api/specific", "192.0.2.2", 1)[0]?.kind).toBe("continue");
});

describe("user agents", () => {
	const filter = {
		inbound: [
			{
				expressions: [
					"'user-agent' in req.headers",
					"size(req.headers['user-agent'].filter(x, x.matches('(?i).*Edg/\\\\d+.*'))) > 0",
				],
				actions: [{ type: "custom-response", config: { content: "Hello Edge User!" } }],
			},
		],
	};
	test.each([
		[[["User-Agent", "Mozilla Edg/120"]], "respond"],
		[[["user-agent", "EDG/1"]], "respond"],
		[[["user-agent", "Firefox/1"]], "continue"],
		[[], "continue"],
	])("%j: %s", (headers, kind) => {
		expect(outcomeOf(filter, { headers: headers as [string, string][] }).outcome.kind).toBe(kind);
	});

	test("of bots, by name", () => {
		const policy = rule(
			["req.user_agent.matches('(?i).*(chatgpt-user|gptbot)/\\\\d+.*')"],
			"deny",
			{ status_code: 404 },
		);
		const { outcome } = outcomeOf(policy, { headers: [["user-agent", "GPTBot/1.0"]] });
		expect(outcome).toEqual({ kind: "deny", statusCode: 404 });
		expect(outcomeOf(policy, {}).outcome.kind).toBe("continue");
	});
});

test("contents with times filled in", () => {
	const json = rule(["req.url.path == '/api/example'"], "custom-response", {
		status_code: 418,
		content: '{"start":"${conn.ts.start}","now":"${timestamp(time.now)}"}',
	});
	expect(outcomeOf(json, { url: "http://h/api/example" }).outcome).toMatchObject({
		statusCode: 418,
		headers: [["content-type", "application/json"]],
		content: '{"start":"2023-11-14T22:13:20Z","now":"2023-11-14T22:13:21Z"}',
	});
});

test("a rewrite of one path", () => {
	const policy = rule(["req.url.path == '/products'"], "url-rewrite", {
		from: "/products",
		to: "/products.php",
	});
	expect(outcomeOf(policy, { url: "http://h/products?a=b" }).url).toBe("http://h/products.php?a=b");
});

describe("documents of older products are refused, each problem naming today's variable", () => {
	test.each([
		["req.URL.contains('v0/')", "req.url"],
		["req.Method == 'POST'", "req.method"],
		["req.ContentLength > 10000", "req.content_length"],
		["conn.Geo.CountryCode in ['BR']", "conn.geo.country_code"],
		["'x' in req.Headers['User-Agent']", "req.headers"],
		["req.ClientTLS.Version > '1.3'", "conn.tls.version"],
	])("%s", (expression, today) => {
		const [problem, ...others] = problemsOf(rule(["true", expression], "deny"));
		expect(problem).toMatch(/^\/inbound\/0\/expressions\/1 unknown_variable: /);
		expect(problem).toContain(today);
		expect(others).toEqual([]);
	});

	test("and outbound", () => {
		const expressions = ["res.StatusCode < '200' || res.StatusCode > '300'"];
		const problems = problemsOf({ outbound: [{ expressions, actions: [{ type: "log" }] }] });
		expect(problems.length).toBeGreaterThan(0);
		for (const problem of problems) expect(problem).toContain("res.status_code");
	});

	test("an unknown format, with its expression's old variable", () => {
		const problems = problemsOf(
			rule([], "url-rewrite", {
				format: "ngrok",
				from: "v0/user/([0-9]+).*&filter=(.*)",
				to: "v1/user?id=$1&filter=${req.query_params['filter'][0]}",
			}),
		);
		expect(problems).toHaveLength(2);
		expect(problems[0]).toContain(
			'format unknown_value: unknown value "ngrok"; did you mean "cel"?',
		);
		expect(problems[1]).toMatch(/\/config\/to unknown_variable: .*req\.url\.query_params/);
	});
});
