/** add-headers, remove-headers and close-connection over real connections (contract 5). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compiled } from "../../policy/support.ts";
import { ask, get, RawClient, RawUpstream, startEdge, type TestEdge } from "../harness.ts";

const upstream = new RawUpstream();
const defaultAnswer = upstream.onRequest;
let edge: TestEdge;
let trusting: TestEdge;
beforeAll(async () => {
	const urls = [await upstream.listen()];
	edge = await startEdge({ urls });
	trusting = await startEdge({ urls, config: { trustedProxies: ["127.0.0.1/32"] } });
});
afterAll(async () => {
	await edge.close();
	await trusting.close();
	await upstream.close();
});
beforeEach(() => {
	upstream.requests.length = 0;
	upstream.onRequest = defaultAnswer;
});

const add = (headers: Record<string, string>) => ({ type: "add-headers", config: { headers } });
const remove = (...headers: string[]) => ({ type: "remove-headers", config: { headers } });

function policy(document: unknown, on = edge): void {
	const made = compiled(document);
	on.setPolicy({
		inbound: (exchange) => made.inbound(exchange),
		outbound: (exchange) => made.outbound(exchange),
	});
}
const linesUpstream = (): string[] => (upstream.requests[0] ?? "").split("\r\n").slice(1, -2);

describe("a request", () => {
	// the second is read in the library's own way
	it.each(["x-plain: 1", "x-plain: gr\u00c3\u00bcn"])("with %j", async (line) => {
		policy({
			inbound: [{ actions: [remove("x-b*"), add({ "X-New": "a ${req.method}", "x-b": "ü" })] }],
		});
		await ask(edge.port, get("/", line, "X-B: 1", "x-bc: 2"));
		const lines = linesUpstream();
		expect(lines).toContain("x-new: a GET");
		expect(lines).toContain("x-b: \u00c3\u00bc");
		expect(lines).toContain(line);
		expect(lines.join()).not.toContain("x-bc");
		expect(lines.indexOf("x-new: a GET")).toBeLessThan(
			lines.findIndex((each) => each.startsWith("x-forwarded-for")),
		);
	});

	it("has another host for the backend and later rules, and the route stays", async () => {
		policy({
			inbound: [
				{ actions: [add({ host: "Other.Example:81" })] },
				{
					expressions: [
						"req.host == 'other.example' && req.headers['host'][0] == 'Other.Example:81'",
					],
					actions: [add({ "x-seen": "yes" })],
				},
			],
		});
		await ask(edge.port, get("/"));
		expect(linesUpstream()).toContain("host: Other.Example:81");
		expect(linesUpstream()).toContain("x-forwarded-host: h.example");
		expect(linesUpstream()).toContain("x-seen: yes");
	});

	it.each([
		["a host that is none", { host: "${'a b'}" }],
		["a line break", { "x-a": "${req.url.query_params['v'][0].replace('_', '\\r\\n')}" }],
	])("fails closed for %s", async (_, headers) => {
		policy({ inbound: [{ actions: [add(headers)] }] });
		const response = await ask(edge.port, get("/?v=a_b"));
		expect([response.status, upstream.requests.length]).toEqual([500, 0]);
	});

	it("fails closed where it would become too long", async () => {
		const value = "v".repeat(8000);
		const headers = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`x-${at}`, value]));
		policy({ inbound: [{ actions: [add(headers)] }] });
		expect((await ask(edge.port, get("/"))).status).toBe(500);
		const many = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`y-${at}`, "1"]));
		policy({ inbound: [{ actions: [add(many)] }] });
		expect((await ask(edge.port, get("/"))).status).toBe(200);
		const lines = Array.from({ length: 60 }, (_, at) => `z-${at}: 1`);
		expect((await ask(edge.port, get("/", ...lines))).status).toBe(500);
	});

	it("weir alone says who the client is", async () => {
		const spoof = {
			"x-forwarded-for": "6.6.6.6",
			forwarded: "for=6.6.6.6",
			"x-forwarded-proto": "x",
		};
		policy({ inbound: [{ actions: [add(spoof)] }] });
		await ask(edge.port, get("/"));
		expect(linesUpstream().filter((each) => each.includes("forwarded"))).toEqual([
			"x-forwarded-for: 127.0.0.1",
			"x-forwarded-proto: http",
			"x-forwarded-host: h.example",
		]);
	});

	it("behind a trusted proxy the client is who that one says, whatever rules remove", async () => {
		policy(
			{
				inbound: [
					{ actions: [remove("x-forwarded-for"), add({ "x-client": "${conn.client_ip}" })] },
				],
			},
			trusting,
		);
		await ask(trusting.port, get("/", "X-Forwarded-For: 203.0.113.9"));
		expect(linesUpstream()).toContain("x-client: 203.0.113.9");
		expect(linesUpstream()).toContain("x-forwarded-for: 203.0.113.9, 127.0.0.1");
	});
});

describe("a response", () => {
	const outbound = [
		{ actions: [remove("server", "X-Old-*"), add({ "X-New": "${res.status_code}" })] },
		{
			expressions: ["'x-old-one' in res.headers || !('x-new' in res.headers)"],
			actions: [{ type: "custom-response", config: { content: "unseen" } }],
		},
	];

	it("of the upstream", async () => {
		upstream.onRequest = (socket) => {
			socket.write(
				"HTTP/1.1 200 OK\r\nServer: s\r\nx-old-one: 1\r\nSet-Cookie: a=1\r\nContent-Length: 2\r\n\r\nok",
			);
		};
		policy({ outbound });
		const response = await ask(edge.port, get("/"));
		expect([response.status, response.body]).toEqual([200, "ok"]);
		expect([response.header("x-new"), response.header("set-cookie")]).toEqual(["200", "a=1"]);
		expect([response.header("server"), response.header("x-old-one")]).toEqual([
			undefined,
			undefined,
		]);
		expect(response.header("content-length")).toBe("2");
	});

	it("that a rule makes", async () => {
		const custom = { type: "custom-response", config: { content: "hi", headers: { Server: "s" } } };
		policy({ inbound: [{ actions: [custom] }], outbound });
		const response = await ask(edge.port, get("/"));
		expect([response.body, response.header("x-new"), response.header("server")]).toEqual([
			"hi",
			"200",
			undefined,
		]);
	});

	it("a custom-response behind it replaces the response with its changes", async () => {
		const custom = { type: "custom-response", config: { content: "instead" } };
		policy({ outbound: [{ actions: [add({ "x-a": "1" }), custom] }] });
		const response = await ask(edge.port, get("/"));
		expect([response.body, response.header("x-a")]).toEqual(["instead", undefined]);
	});

	it("a HEAD keeps its length", async () => {
		policy({ outbound: [{ actions: [remove("*"), add({ "x-a": "1" })] }] });
		const response = await ask(edge.port, "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
		expect([response.status, response.header("x-a")]).toEqual([200, "1"]);
		expect(response.header("content-length")).not.toBeUndefined();
	});
});

it.each([
	["http://shop.example", "http://shop.example"],
	["http://evil.example", undefined],
	[undefined, "backend"],
])("cors for %s", async (origin, allowed) => {
	upstream.onRequest = (socket) => {
		socket.write(
			"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: backend\r\nVary: accept\r\nContent-Length: 2\r\n\r\nok",
		);
	};
	const cors = { type: "cors", config: { allow_origins: ["http://shop.example"] } };
	policy({ inbound: [{ actions: [cors] }] });
	const lines = origin === undefined ? [] : [`Origin: ${origin}`];
	const response = await ask(edge.port, get("/", ...lines));
	expect([response.status, response.body]).toEqual([200, "ok"]);
	expect(response.header("access-control-allow-origin")).toBe(allowed);
	expect(response.lines.filter((line) => /^vary:/i.test(line))).toHaveLength(
		origin === undefined ? 1 : 2,
	);
	// a refusal behind it, too
	policy({ inbound: [{ actions: [cors] }, { actions: [{ type: "deny" }] }] });
	const refused = await ask(edge.port, get("/", ...lines));
	expect([refused.status, refused.header("access-control-allow-origin")]).toEqual([
		403,
		allowed === "backend" ? undefined : allowed,
	]);
});

it("cors: a preflight asks no backend", async () => {
	const cors = { type: "cors", config: { allow_origins: ["*"], allow_methods: ["PUT"] } };
	policy({ inbound: [{ actions: [cors] }] });
	const preflight = `OPTIONS / HTTP/1.1\r\nHost: h\r\nOrigin: http://a\r\nAccess-Control-Request-Method: PUT\r\n\r\n`;
	const response = await ask(edge.port, preflight);
	expect([response.status, response.header("access-control-allow-methods")]).toEqual([204, "PUT"]);
	expect(upstream.requests).toEqual([]);
});

it("close-connection: no byte, logged with status 0, and counted", async () => {
	policy({ inbound: [{ actions: [{ type: "log" }, { type: "close-connection" }] }] });
	edge.lines.length = 0;
	const client = await new RawClient(edge.port).send(get("/")).untilClosed();
	expect(client.received).toBe("");
	expect(upstream.requests).toEqual([]);
	await expect.poll(() => edge.lines.length).toBeGreaterThan(0);
	expect(JSON.stringify(edge.lines)).toContain('"status":0');
	expect(edge.metrics.snapshot()['weir_policy_outcomes_total{outcome="close"}']).toBe(1);
	expect(edge.metrics.snapshot().weir_requests_in_flight).toBe(0);
});
