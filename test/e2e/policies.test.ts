/**
 * Policies of the kinds that users publish, on the real server (contract 4, 5): what the client gets,
 * what the upstream gets, what is logged. Every request may be served by either of two workers.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
	type Answer,
	type Sending,
	type Server,
	send,
	startServer,
	type TestUpstream,
	until,
} from "./harness.ts";
import { type Routed, startRouted } from "./routed.ts";

let routed: Routed;
let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	routed = await startRouted();
	({ server, upstream } = routed);
});
afterEach(() => {
	upstream.status = 200;
});
afterAll(() => routed?.close());

const rule = (expressions: string[], type: string, config: object = {}) => ({
	expressions,
	actions: [{ type, config }],
});
const inbound = (...rules: object[]) => server.policy({ inbound: rules });
const go = (path: string, sending: Sending = {}): Promise<Answer> =>
	send(server.port, path, { ...sending, headers: { host: "example.com", ...sending.headers } });
const targetOf = async (path: string): Promise<string | undefined> => {
	expect((await go(path)).status).toBe(200);
	return upstream.seen.at(-1)?.target;
};
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/.source;

describe("url-rewrite", () => {
	it("rewrites what matches and carries the query along", async () => {
		await inbound({
			expressions: ["req.url.contains('old/')"],
			actions: [
				{
					type: "url-rewrite",
					config: { from: "old/item/([0-9]+).*", to: "new/item?id=$1&$args" },
				},
				{ type: "url-rewrite", config: { from: "old/secret.*", to: "new/open?$is_args$args" } },
			],
		});
		expect(await targetOf("/old/item/42?x=1")).toBe("/new/item?id=42&x=1");
		expect(await targetOf("/old/item/42")).toBe("/new/item?id=42&");
		expect(await targetOf("/old/secret/door?x=1")).toBe("/new/open??x=1");
		expect(await targetOf("/other?x=1")).toBe("/other?x=1");
	});

	it("shows later rules the rewritten URL, and the client nothing", async () => {
		await inbound(
			rule(["req.url.path == '/page'"], "url-rewrite", { from: "/page", to: "/page.php" }),
			rule(["req.url.path == '/page'"], "deny"),
		);
		const answer = await go("/page");
		expect([answer.status, answer.body]).toEqual([200, "upstream"]);
		expect(upstream.seen.at(-1)).toMatchObject({
			target: "/page.php",
			headers: { host: "example.com" },
		});
	});

	it("never sends a result that is no request target", async () => {
		await inbound(rule([], "url-rewrite", { from: "^.*$", to: "nonsense" }));
		const before = upstream.seen.length;
		expect((await go("/")).status).toBe(500);
		expect(upstream.seen.length).toBe(before);
	});
});

describe("deny and custom-response", () => {
	it("deny answers with an empty body and 403 unless told otherwise", async () => {
		await inbound(rule(["req.method != 'GET'"], "deny"));
		expect((await go("/")).status).toBe(200);
		expect(await go("/", { method: "POST", body: "x" })).toMatchObject({ status: 403, body: "" });
		await inbound(
			rule(["req.user_agent.matches('(?i).*(somebot|otherbot)/\\\\d+.*')"], "deny", {
				status_code: 404,
			}),
		);
		expect((await go("/", { headers: { "user-agent": "x SOMEBOT/12 y" } })).status).toBe(404);
		expect((await go("/", { headers: { "user-agent": "somebot" } })).status).toBe(200);
	});

	it("answers by country and size, only where both apply", async () => {
		await inbound({
			expressions: [
				"req.method == 'POST' && req.content_length > 10000",
				"conn.geo.country_code in ['BR', 'CN']",
			],
			actions: [
				{
					type: "custom-response",
					config: {
						status_code: 401,
						content: "not from there",
						headers: { "content-type": "text/plain" },
					},
				},
			],
		});
		const post = (from: string, bytes: number) =>
			go("/", {
				method: "POST",
				headers: { "x-forwarded-for": from },
				body: "x".repeat(bytes),
			});
		expect(await post("200.160.2.3", 10_001)).toMatchObject({
			status: 401,
			body: "not from there",
			headers: { "content-type": "text/plain" },
		});
		expect((await post("200.160.2.3", 10_000)).status).toBe(200);
		expect((await post("85.214.132.117", 10_001)).status).toBe(200);
	});

	it("compares header lines as a whole, and warns of what was probably meant", async () => {
		const put = await inbound(rule(["'Robot' in req.headers['User-Agent']"], "deny"));
		expect(put.headers["policy-warnings"]).toBe("1");
		expect(put.headers["policy-warning"]).toBe(
			"/inbound/0/expressions/0: matches a header line that is exactly 'Robot'; for a part of it write req.headers['User-Agent'].exists(v, v.contains('Robot'))",
		);
		expect((await go("/", { headers: { "user-agent": "Robot" } })).status).toBe(403);
		expect((await go("/", { headers: { "user-agent": "A Robot/1" } })).status).toBe(200);
	});

	it("warns of what can't be meant, of what can fail, and of what this server leaves empty", async () => {
		const put = await inbound(
			rule(["req.method == 'get'"], "log"),
			rule(["req.headers['x-role'][0] == 'admin'"], "deny"),
			rule(["conn.tls.sni == 'example.com'"], "log"),
			rule(["conn.geo.city == 'Berlin'"], "log"),
		);
		expect(put.headers["policy-warnings"]).toBe("4");
		const lines = put.rawHeaders.filter((_, at) => put.rawHeaders[at - 1] === "policy-warning");
		expect(lines).toEqual([
			"/inbound/0/expressions/0: req.method is never 'get': methods are in upper case; write 'GET'",
			"/inbound/1/expressions/0: req.headers['x-role'][0] fails without the header \"x-role\"; put 'x-role' in req.headers before it, or write req.headers['x-role'][?0].orValue('')",
			"/inbound/2/expressions/0: conn.tls.sni is always empty: no listener has TLS",
			"/inbound/3/expressions/0: conn.geo.city is always empty: the bundled database knows country codes alone; set geo.database",
		]);
		// as it was warned
		expect((await go("/")).status).toBe(500);
		expect((await go("/", { headers: { "x-role": "admin" } })).status).toBe(403);
		const mended = await inbound(
			rule(["req.headers['x-role'][?0].orValue('') == 'admin'"], "deny"),
		);
		expect(mended.headers["policy-warnings"]).toBeUndefined();
		expect((await go("/")).status).toBe(200);
	});

	it("finds headers whatever their case, and their absence", async () => {
		await inbound({
			expressions: [
				"'user-agent' in req.headers",
				"size(req.headers['user-agent'].filter(x, x.matches('(?i).*Edg/\\\\d+.*'))) > 0",
			],
			actions: [{ type: "custom-response", config: { content: "Hello!" } }],
		});
		for (const agent of ["Edg/120", "eDG/1 x"])
			expect((await go("/", { headers: { "user-agent": agent } })).body).toBe("Hello!");
		expect((await go("/")).body).toBe("upstream");
	});

	it("fills in expressions, and finds the content type", async () => {
		const content = '{"start":"${conn.ts.start}"}';
		await inbound(
			rule(["req.url.path == '/json'"], "custom-response", { content }),
			rule(["req.url.path == '/page'"], "custom-response", {
				status_code: 503,
				content: "<html><body>down</body></html>",
			}),
			rule([], "custom-response", {
				status_code: 418,
				content: "began ${conn.ts.start}, now ${timestamp(time.now)}, $${kept}",
			}),
		);
		const json = await go("/json");
		expect(json.headers["content-type"]).toBe("application/json");
		expect(JSON.parse(json.body).start).toMatch(new RegExp(`^${TIME}$`));
		const page = await go("/page");
		expect([page.status, page.headers["content-type"]]).toEqual([
			503,
			expect.stringMatching(/^text\/html/),
		]);
		const text = await go("/");
		expect([text.status, text.headers["content-type"]]).toEqual([418, "text/plain; charset=utf-8"]);
		expect(text.body).toMatch(new RegExp(`^began ${TIME}, now ${TIME}, \\$\\{kept\\}$`));
	});

	it("runs outbound rules on upstream answers and custom-responses, not on deny", async () => {
		await server.policy({
			inbound: [
				rule(["req.url.path == '/denied'"], "deny", { status_code: 404 }),
				rule(["req.url.path == '/made'"], "custom-response", { status_code: 404 }),
			],
			outbound: [
				rule(["res.status_code == 404"], "custom-response", {
					status_code: 200,
					content: "caught",
				}),
			],
		});
		upstream.status = 404;
		expect((await go("/")).body).toBe("caught");
		expect((await go("/made")).body).toBe("caught");
		expect(await go("/denied")).toMatchObject({ status: 404, body: "" });
	});
});

describe("log", () => {
	it("writes one line per request that logged, with what the actions gave, in order", async () => {
		await server.policy({
			inbound: [
				rule([], "log", {
					metadata: { message: "in", edge: "${endpoint.id}", n: 1, deep: { a: [true] } },
				}),
			],
			outbound: [
				rule(["res.status_code < 200 || res.status_code > 300"], "log", {
					metadata: { message: "out" },
				}),
			],
		});
		const before = server.logLines().length;
		upstream.status = 500;
		await go("/logged?x=1");
		const line = await until(
			() =>
				server
					.logLines()
					.slice(before)
					.find(({ traffic_policy }) => traffic_policy),
			"the line",
		);
		expect(line.traffic_policy).toEqual({
			logs: [
				{ metadata: { message: "in", edge: "e", n: 1, deep: { a: [true] } } },
				{ metadata: { message: "out" } },
			],
		});
		expect(line).toMatchObject({
			method: "GET",
			path: "/logged",
			status: 500,
			edge: "e",
			route: "r",
		});
	});
});

describe("rate-limit", () => {
	const limited = (name: string, capacity: number, key: string[], more = {}) => ({
		type: "rate-limit",
		config: { name, algorithm: "sliding_window", capacity, rate: "60s", bucket_key: key, ...more },
	});
	const statuses = async (count: number, path: string, headers = {}): Promise<number[]> => {
		const got: number[] = [];
		for (let n = 0; n < count; n++) got.push((await go(path, { headers })).status);
		return got;
	};

	it("admits capacity per key, then 429 with retry-after; other requests are not counted", async () => {
		await inbound({
			expressions: ["req.url.contains('/api/')"],
			actions: [limited("per address", 3, ["conn.client_ip"])],
		});
		expect(await statuses(2, "/other")).toEqual([200, 200]);
		expect(await statuses(4, "/api/x")).toEqual([200, 200, 200, 429]);
		const over = await go("/api/x");
		expect(over.headers["retry-after"]).toMatch(/^([1-9]|[1-5]\d|60)$/);
		expect(JSON.parse(over.body)).toMatchObject({ status_code: 429 });
		expect(await statuses(1, "/api/x", { "x-forwarded-for": "198.51.100.7" })).toEqual([200]);
		expect(await statuses(1, "/other")).toEqual([200]);
	});

	it("keeps its count over a re-PUT and a change elsewhere; a changed capacity starts anew", async () => {
		const action = limited("kept", 2, ["req.headers['x-user']", "getReqHeader('X-Team')"]);
		const user = { "x-user": "u" };
		await inbound({ actions: [action] });
		expect(await statuses(3, "/", user)).toEqual([200, 200, 429]);
		await inbound(rule(["req.url.path == '/x'"], "deny"), { actions: [action] });
		expect(await statuses(1, "/", user)).toEqual([429]);
		expect(await statuses(1, "/", { "x-user": "u", "x-team": "" })).toEqual([200]);
		await inbound({ actions: [limited("kept", 3, action.config.bucket_key)] });
		expect(await statuses(4, "/", user)).toEqual([200, 200, 200, 429]);
	});

	it("counts without rejecting where enforce is false", async () => {
		await inbound({ actions: [limited("watched", 1, [], { enforce: false })] });
		expect(await statuses(3, "/")).toEqual([200, 200, 200]);
		const { body } = await server.api("GET", "/metrics");
		expect(body).toMatch(/weir_rate_limit_exceeded_total\{.*enforced="false".*\} 2\b/);
	});
});

describe("failing expressions", () => {
	const failing = [rule(["req.headers['x-missing'][0] == 'a'"], "deny", { status_code: 402 })];

	it("fail the request closed, counted with their place", async () => {
		await inbound(...failing);
		const answer = await go("/");
		expect(answer.status).toBe(500);
		expect(answer.body).not.toMatch(/x-missing|index|rule/);
		const { body } = await server.api("GET", "/metrics");
		expect(body).toMatch(
			/weir_expression_errors_total\{edge="e",route="r",phase="inbound",rule="0",expression="0",action=""\} 1\b/,
		);
		const place = { edge: "e", route: "r", phase: "inbound", rule: 0, expression: 0 };
		await until(() => {
			const lines = server.logLines().filter(({ msg }) => msg === "policy expression failed");
			return lines.find((line) => isDeepStrictEqual({ ...line, ...place }, line));
		}, "the log line");
	});

	it("are absorbed by || as CEL says", async () => {
		await inbound(
			rule(["req.headers['x-missing'][0] == 'a' || true"], "deny", { status_code: 402 }),
		);
		expect((await go("/")).status).toBe(402);
	});

	it("make the rule not apply under expression_errors: skip", async () => {
		const skipping = await startServer({ workers: 1, config: { expression_errors: "skip" } });
		try {
			await skipping.route(upstream.port);
			await skipping.policy({ inbound: failing });
			expect((await skipping.get("/")).status).toBe(200);
		} finally {
			await skipping.cleanUp();
		}
	});
});

it("a policy that is not enabled does nothing", async () => {
	await server.policy({ enabled: false, inbound: [rule([], "deny")] });
	expect((await go("/")).status).toBe(200);
});

it("old variables and unknown formats are refused, each problem with pointer and today's name", async () => {
	const answer = await server.api("PUT", "/edges/https/e/routes/r/policy", {
		inbound: [
			rule(["req.Method == 'POST'", "conn.Geo.CountryCode == 'BR'"], "deny"),
			rule([], "url-rewrite", { from: "a", to: "b", format: "apache" }),
		],
		outbound: [rule(["res.StatusCode < 200", "res.status_code < '200'"], "log")],
	});
	expect(answer.status).toBe(400);
	const { error_code, details, problems } = JSON.parse(answer.body);
	expect(error_code).toBe("ERR_INVALID_DOCUMENT");
	expect(details.operation_id).toMatch(/^op_/);
	const said = new Map(
		problems.map(({ pointer, message }: { pointer: string; message: string }) => [
			pointer,
			message,
		]),
	);
	expect(said.get("/inbound/0/expressions/0")).toContain("req.method");
	expect(said.get("/inbound/0/expressions/1")).toContain("conn.geo.country_code");
	expect(said.get("/inbound/1/actions/0/config/format")).toContain("nginx");
	expect(said.get("/outbound/0/expressions/0")).toContain("res.status_code");
	expect(said.has("/outbound/0/expressions/1")).toBe(true);
	for (const pointer of said.keys()) expect(details[String(pointer)]).toBe(said.get(pointer));
});
