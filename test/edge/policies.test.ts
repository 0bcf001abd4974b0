/** Contract 4: what a policy's outcomes become on the wire, and the order of things. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/policy/exchange.ts";
import { logSettings } from "../observing.ts";
import { NO_CALL, NO_LOAD } from "../upstream/idle.ts";
import { ask, get, post, RawUpstream, startEdge, type TestEdge } from "./harness.ts";

const upstream = new RawUpstream();
let edge: TestEdge;
const defaultAnswer = upstream.onRequest;
beforeAll(async () => {
	edge = await startEdge({ urls: [await upstream.listen()] });
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
});
beforeEach(() => {
	upstream.requests.length = 0;
	upstream.onRequest = defaultAnswer;
	edge.setPolicy(undefined);
	edge.lines.length = 0;
});

const RESPOND: Outcome = {
	kind: "respond",
	statusCode: 203,
	headers: [
		["Content-Type", "text/plain; charset=utf-8"],
		["X-Ü".replace("Ü", "U"), "grün"],
	],
	content: "Grüße",
};
const HEAD = (target: string) => `HEAD ${target} HTTP/1.1\r\nHost: h\r\n\r\n`;
const metric = (name: string) => edge.metrics.snapshot()[name] ?? 0;

describe("inbound", () => {
	it("deny: the status and an empty body; no upstream, no outbound rules", async () => {
		let outbound = 0;
		edge.setPolicy({
			inbound: () => ({ kind: "deny", statusCode: 451 }),
			outbound: () => {
				outbound++;
				return { kind: "continue" };
			},
		});
		const before = metric('weir_policy_outcomes_total{outcome="deny"}');
		const response = await ask(edge.port, get("/"));
		expect([response.status, response.body, response.header("content-length")]).toEqual([
			451,
			"",
			"0",
		]);
		expect([outbound, upstream.requests.length]).toEqual([0, 0]);
		expect(metric('weir_policy_outcomes_total{outcome="deny"}')).toBe(before + 1);
	});

	it.each([204, 304])("deny with %i has no content-length", async (statusCode) => {
		edge.setPolicy({ inbound: () => ({ kind: "deny", statusCode }) });
		const response = await ask(edge.port, get("/"));
		expect([response.status, response.header("content-length")]).toEqual([statusCode, undefined]);
	});

	it("429 with retry-after and a small JSON body; no outbound rules", async () => {
		edge.setPolicy({
			inbound: () => ({ kind: "limited", retryAfterSeconds: 17 }),
			outbound: () => {
				throw new Error("must not run");
			},
		});
		const response = await ask(edge.port, get("/"));
		expect([response.status, response.header("retry-after")]).toEqual([429, "17"]);
		expect(JSON.parse(response.body)).toMatchObject({ status_code: 429, retry_after: 17 });
		expect(response.header("content-type")).toBe("application/json");
		expect(edge.lines).toEqual([]);
	});

	it("custom-response: status, headers and content as UTF-8; outbound rules see it", async () => {
		let seen: unknown[] = [];
		edge.setPolicy({
			inbound: () => RESPOND,
			outbound: (exchange) => {
				seen = [
					exchange.responseStatusCode,
					exchange.responseContentLength,
					exchange.responseHeaders.lines("content-type"),
				];
				return { kind: "continue" };
			},
		});
		const response = await ask(edge.port, get("/"));
		expect(Buffer.from(response.body, "latin1").toString()).toBe("Grüße");
		expect(response.status).toBe(203);
		expect(Buffer.from(response.header("x-u") ?? "", "latin1").toString()).toBe("grün");
		expect(seen).toEqual([203, 7, ["text/plain; charset=utf-8"]]);
		expect(upstream.requests.length).toBe(0);
	});

	it("custom-response: one date, however the policy spells its own", async () => {
		const headers = [["DATE", "x"] as const];
		edge.setPolicy({ inbound: () => ({ ...RESPOND, headers }) });
		const { lines } = await ask(edge.port, get("/"));
		const dates = lines.filter((line) => /^date:/i.test(line));
		expect(dates).toEqual([expect.not.stringContaining("DATE")]);
	});

	it("reads the host in one spelling, whatever the client makes of it", async () => {
		for (const host of ["h.example", "H.Example", "h.example:80", "h.example.", "h.example.:80"]) {
			let hosts: string[] = [];
			edge.setPolicy({
				inbound: (exchange) => {
					hosts = [exchange.host, exchange.url.host, exchange.url.full];
					return { kind: "deny", statusCode: 403 };
				},
			});
			await ask(edge.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
			expect(hosts).toEqual(["h.example", "h.example", "http://h.example/"]);
		}
	});

	it("custom-response to HEAD has the length and no body", async () => {
		edge.setPolicy({ inbound: () => RESPOND });
		const response = await ask(edge.port, HEAD("/"));
		expect([response.status, response.header("content-length")]).toEqual([203, "7"]);
	});

	it("an outbound custom-response replaces an inbound one", async () => {
		edge.setPolicy({
			inbound: () => RESPOND,
			outbound: () => ({ ...RESPOND, statusCode: 299, content: "replaced" }),
		});
		const response = await ask(edge.port, get("/"));
		expect([response.status, response.body]).toEqual([299, "replaced"]);
	});

	it("failed: 500 and nothing of the reason; a policy that throws likewise, and is logged", async () => {
		edge.setPolicy({ inbound: () => ({ kind: "failed" }) });
		const failed = await ask(edge.port, get("/"));
		edge.setPolicy({
			inbound: () => {
				throw new Error("secret");
			},
		});
		const threw = await ask(edge.port, get("/"));
		for (const response of [failed, threw]) {
			expect(response.status).toBe(500);
			expect(JSON.parse(response.body)).toMatchObject({ error_code: "ERR_POLICY_FAILED" });
		}
		expect(edge.lines.map(({ level, message }) => [level, message])).toEqual([
			["error", "policy threw"],
		]);
		expect(upstream.requests.length).toBe(0);
	});

	it("expression failures and limits are counted with their place", async () => {
		const place = {
			phase: "inbound",
			ruleIndex: 2,
			ruleName: "n",
			expressionIndex: 1,
			actionIndex: -1,
		} as const;
		edge.setPolicy({
			inbound: (exchange) => {
				exchange.expressionFailed(place, "index out of range");
				exchange.limitExceeded(place, "n", 1000, false);
				return { kind: "deny", statusCode: 403 };
			},
		});
		await ask(edge.port, get("/"));
		expect(edge.metrics.snapshot()).toMatchObject({
			'weir_expression_errors_total{edge="e",route="r",phase="inbound",rule="2",expression="1",action=""}': 1,
			'weir_rate_limit_exceeded_total{edge="e",route="r",rule="2",name="n",enforced="false"}': 1,
		});
		expect(edge.lines[0]).toMatchObject({
			level: "warn",
			fields: { edge: "e", route: "r", rule: 2, expression: 1, reason: "index out of range" },
		});
	});
});

describe("outbound", () => {
	it("sees the upstream's response and the request", async () => {
		upstream.onRequest = (socket) =>
			socket.write("HTTP/1.1 404 x\r\nX-A: 1\r\nx-a: tét\r\nContent-Length: 2\r\n\r\nno", "utf8");
		let seen: unknown[] = [];
		edge.setPolicy({
			outbound: (exchange) => {
				const { responseHeaders, url, method, clientIp, edgeId, routeId } = exchange;
				seen = [
					exchange.responseStatusCode,
					exchange.responseContentLength,
					responseHeaders.lines("x-a"),
					responseHeaders.names(),
					[url.full, method, clientIp, edgeId, routeId],
				];
				return { kind: "continue" };
			},
		});
		const response = await ask(edge.port, get("/p?q"));
		expect([response.status, response.body]).toEqual([404, "no"]);
		expect(seen).toEqual([
			404,
			2,
			["1", "tét"],
			["x-a", "content-length"],
			["http://h.example/p?q", "GET", "127.0.0.1", "e", "r"],
		]);
	});

	it("custom-response replaces the upstream's, whose body is not waited for", async () => {
		upstream.onRequest = (socket) =>
			socket.write("HTTP/1.1 500 x\r\nContent-Length: 1000000\r\n\r\nx");
		edge.setPolicy({ outbound: () => RESPOND });
		const response = await ask(edge.port, get("/"));
		expect([response.status, response.header("x-u") !== undefined]).toEqual([203, true]);
		await expect.poll(() => upstream.sockets.size).toBe(0);
	});

	it("failed: 500 instead of the upstream's response", async () => {
		edge.setPolicy({ outbound: () => ({ kind: "failed" }) });
		expect((await ask(edge.port, get("/"))).status).toBe(500);
	});

	it.each<[string, number, (bad: RawUpstream) => void]>([
		["broken", 502, (bad) => (bad.onConnection = (socket) => socket.destroy())],
		["garbage", 502, (bad) => (bad.onConnection = (socket) => socket.end("no HTTP\r\n\r\n"))],
		["silent", 504, (bad) => (bad.onConnection = () => {})],
	])("runs on the edge's own answer when the upstream is %s: %i", async (_name, status, script) => {
		const bad = new RawUpstream();
		script(bad);
		const broken = await startEdge({
			urls: [await bad.listen()],
			backend: { response_timeout_ms: 300 },
		});
		const plain = await ask(broken.port, get("/"));
		expect([plain.status, JSON.parse(plain.body).status_code]).toEqual([status, status]);
		broken.setPolicy({
			outbound: (exchange) =>
				exchange.responseStatusCode === status
					? { ...RESPOND, content: "page" }
					: { kind: "failed" },
		});
		expect((await ask(broken.port, get("/"))).body).toBe("page");
		expect((await ask(broken.port, HEAD("/"))).header("content-length")).toBe("4");
		await broken.close();
		await bad.close();
	});

	it("a refused connection is 502, a full queue 503 without outbound rules", async () => {
		const refusing = await startEdge({ urls: ["http://127.0.0.1:1"] });
		expect((await ask(refusing.port, get("/"))).status).toBe(502);
		await refusing.close();
		const full = await startEdge({
			urls: ["http://127.0.0.1:1"],
			upstreamFactory: () => ({
				send(_request, sink) {
					sink.onError("queue_full", "full");
					return { ...NO_CALL, resume() {}, abort() {} };
				},
				...NO_LOAD,
				close: () => Promise.resolve(),
			}),
		});
		full.setPolicy({ outbound: () => ({ kind: "failed" }) });
		const response = await ask(full.port, get("/"));
		expect([response.status, JSON.parse(response.body).error_code]).toEqual([
			503,
			"ERR_UPSTREAM_BUSY",
		]);
		await full.close();
	});
});

describe("routes", () => {
	it("no route: 404 with a small JSON body", async () => {
		const empty = await startEdge({});
		const response = await ask(empty.port, get("/nothing"));
		expect(response.status).toBe(404);
		expect(JSON.parse(response.body)).toMatchObject({
			error_code: "ERR_NO_ROUTE",
			status_code: 404,
		});
		await empty.close();
	});

	it("none while the edge is told to refuse: 503; changes meanwhile are there afterwards", async () => {
		edge.edge.refuse(true);
		const refused = await ask(edge.port, get("/"));
		expect([refused.status, refused.header("retry-after")]).toEqual([503, "5"]);
		expect(JSON.parse(refused.body)).toMatchObject({ error_code: "ERR_FLEET_CUT_OFF" });
		edge.setPolicy({ inbound: () => RESPOND });
		expect((await ask(edge.port, get("/"))).status).toBe(503);
		edge.edge.refuse(false);
		expect((await ask(edge.port, get("/"))).status).toBe(203);
	});

	it("a policy put while a request is in flight doesn't touch it", async () => {
		let answer = () => {};
		upstream.onRequest = (socket) => {
			answer = () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
		};
		edge.setPolicy({ outbound: () => ({ kind: "continue" }) });
		const first = ask(edge.port, get("/"));
		await expect.poll(() => upstream.requests.length).toBe(1);
		edge.setPolicy({ inbound: () => RESPOND, outbound: () => RESPOND });
		answer();
		expect((await first).status).toBe(200);
		expect((await ask(edge.port, get("/"))).status).toBe(203);
	});

	it("a bad WebSocket handshake is refused after the inbound rules", async () => {
		const upgrade = ["Upgrade: WebSocket", "Connection: keep-alive, Upgrade"];
		expect((await ask(edge.port, get("/", ...upgrade))).status).toBe(426);
		edge.setPolicy({ inbound: () => ({ kind: "deny", statusCode: 403 }) });
		expect((await ask(edge.port, get("/", ...upgrade))).status).toBe(403);
	});
});

describe("log lines", () => {
	it("one per request that logged anything, with what was logged in order", async () => {
		edge.setPolicy({
			inbound: (exchange) => {
				exchange.log({ a: 1 });
				return { kind: "continue" };
			},
			outbound: (exchange) => {
				exchange.log({ b: true });
				return { kind: "continue" };
			},
		});
		await ask(edge.port, post("/p?q=1", "body"));
		await expect.poll(() => edge.lines.length).toBe(1);
		expect(edge.lines[0]).toMatchObject({
			level: "info",
			message: "request",
			fields: {
				edge: "e",
				route: "r",
				method: "POST",
				host: "h.example",
				path: "/p",
				status: 200,
				client_ip: "127.0.0.1",
				bytes_out: 2,
				traffic_policy: { logs: [{ metadata: { a: 1 } }, { metadata: { b: true } }] },
			},
		});
	});

	it("none for a request that logged nothing, one for each with access logging", async () => {
		await ask(edge.port, get("/"));
		expect(edge.lines).toEqual([]);
		const logging = await startEdge({
			config: { log: logSettings({ access: true }) },
		});
		await ask(logging.port, get("/x"));
		expect(logging.lines[0]?.fields).toMatchObject({
			status: 404,
			client_ip: "127.0.0.1",
			path: "/x",
		});
		await logging.close();
	});
});
