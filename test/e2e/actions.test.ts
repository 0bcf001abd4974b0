/**
 * Actions on the real server (contract 5): what clients get, what the backend gets, and that no password is in an answer,
 * the log or the metrics. Every request may be served by either of two workers.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Answer, type Server, send, type TestUpstream, until } from "./harness.ts";
import { type Routed, startRouted } from "./routed.ts";

let routed: Routed;
let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	routed = await startRouted();
	({ server, upstream } = routed);
});
afterAll(() => routed?.close());

const go = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
	send(server.port, path, { headers: { host: "example.com", ...headers } });
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const PASSWORD = "correct horse battery";

it("basic-auth: passwords are checked, and nowhere to be read", async () => {
	const policy = {
		inbound: [
			{
				actions: [
					{ type: "basic-auth", config: { credentials: [`ada:${PASSWORD}`], forward: false } },
					{
						type: "add-headers",
						config: { headers: { "x-user": "${actions.basic_auth.credentials.username}" } },
					},
					{
						type: "log",
						config: { metadata: { user: "${actions.basic_auth.credentials.username}" } },
					},
				],
			},
		],
	};
	const first = await server.policy(policy);
	expect(first.status).toBe(200);
	const stored = JSON.parse(first.body);
	const again = await server.policy(policy);
	expect([again.headers.etag, JSON.parse(again.body)]).toEqual([first.headers.etag, stored]);
	const echoed = await server.policy(stored);
	expect([echoed.headers.etag, JSON.parse(echoed.body)]).toEqual([first.headers.etag, stored]);

	const refused = await go("/");
	expect(refused.status).toBe(401);
	expect(refused.headers["www-authenticate"]).toBe('Basic realm="Restricted", charset="UTF-8"');
	expect(JSON.parse(refused.body).error_code).toBe("ERR_CREDENTIALS_REQUIRED");
	expect((await go("/", { authorization: basic("ada:wrong password") })).status).toBe(401);
	const passed = await go("/in", { authorization: basic(`ada:${PASSWORD}`) });
	expect(passed.status).toBe(200);
	const seen = upstream.seen.at(-1);
	expect([seen?.headers["x-user"], seen?.headers.authorization]).toEqual(["ada", undefined]);
	await until(() => server.logged()[0], "a log line");

	const metrics = await server.api("GET", "/metrics");
	const bad = await server.api("PUT", "/edges/https/e/routes/r/policy", {
		inbound: [
			{ actions: [{ type: "basic-auth", config: { credentials: [`ada:${PASSWORD}\n`] } }] },
		],
	});
	expect(bad.status).toBe(400);
	const texts = [first.body, again.body, refused.body, metrics.body, bad.body];
	for (const text of [...texts, readFileSync(server.logFile, "utf8")]) {
		expect(text).not.toContain(PASSWORD);
		expect(text).not.toContain(basic(`ada:${PASSWORD}`));
	}
});

it("restrict-ips and a rule that only reports", async () => {
	await server.policy({
		inbound: [
			{ name: "soon", enforce: false, actions: [{ type: "deny" }] },
			{ actions: [{ type: "restrict-ips", config: { allow: ["203.0.113.0/24"] } }] },
		],
	});
	const from = (address: string) => go("/", { "x-forwarded-for": address });
	expect((await from("203.0.113.9")).status).toBe(200);
	const refused = await from("198.51.100.1");
	expect([refused.status, JSON.parse(refused.body).error_code]).toEqual([
		403,
		"ERR_ADDRESS_REFUSED",
	]);
	await until(
		() => server.logLines().find((line) => JSON.stringify(line).includes("would_deny")),
		"a report in the log",
	);
	const { body } = await server.api("GET", "/metrics");
	expect(body).toMatch(/weir_policy_reports_total\{[^}]*report="would_deny"[^}]*\} 2/);
	expect(body).toMatch(/weir_policy_outcomes_total\{outcome="refused"\} \d/);
});

it("url-rewrite and redirect with expressions in their patterns, which other threads search for", async () => {
	await server.policy({
		inbound: [
			{
				expressions: ["req.url.path.startsWith('/tenant')"],
				actions: [
					{
						type: "url-rewrite",
						config: { from: "/tenant/${req.headers['x-tenant'][0]}/(.*)", to: "/own/$1" },
					},
				],
			},
			{
				expressions: ["req.url.path.startsWith('/old')"],
				actions: [{ type: "redirect", config: { from: "//${req.host}/old", to: "//new.example" } }],
			},
		],
	});
	expect((await go("/tenant/a.b/x", { "x-tenant": "a.b" })).status).toBe(200);
	expect(upstream.seen.at(-1)?.target).toBe("/own/x");
	expect((await go("/tenant/axb/x", { "x-tenant": "a.b" })).status).toBe(200);
	expect(upstream.seen.at(-1)?.target).toBe("/tenant/axb/x");
	expect((await go("/tenant/x")).status).toBe(500);
	const moved = await go("/old/page?a=1");
	expect([moved.status, moved.headers.location]).toEqual([302, "http://new.example/page?a=1"]);
});

it("variables pass from the request to the response", async () => {
	await server.policy({
		inbound: [
			{ actions: [{ type: "set-vars", config: { vars: [{ id: "${req.headers['x-id'][0]}" }] } }] },
		],
		outbound: [
			{
				expressions: ["vars.id.startsWith('a')"],
				actions: [
					{ type: "remove-headers", config: { headers: ["content-type"] } },
					{ type: "add-headers", config: { headers: { "X-Id": "${vars.id}" } } },
				],
			},
		],
	});
	const one = await go("/", { "x-id": "abc" });
	expect([one.headers["x-id"], one.headers["content-type"]]).toEqual(["abc", undefined]);
	expect((await go("/", { "x-id": "bcd" })).headers["x-id"]).toBeUndefined();
	expect((await go("/")).status).toBe(500);
});
