/**
 * The access log, request ids and traces of the real server (contract 1, `log`; contract 6, "Request ids", "Traces"): each
 * way that a request can end has its line, its id on every answer, and its spans with a collector.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server as HttpServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { type Server, send, sendRaw, startServer, until } from "./harness.ts";

const ID = /^[0-9a-f]{32}$/;
const TRACE = "12345678901234567890123456789012";
const SPAN = "1234567890123456";
const PARENT = `00-${TRACE}-${SPAN}-01`;
/** whose word counts */
const PROXY = "127.0.0.2";

interface Span {
	readonly name: string;
	readonly kind: number;
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
}

const folder = mkdtempSync(join(tmpdir(), "weir-access-"));
const spans: Span[] = [];
/** fields of requests as the backend got them, name, value, name, value, … */
const got: string[][] = [];
let server: Server;
let backend: HttpServer;
let collector: HttpServer;
let pem = "";

const listening = (made: HttpServer): Promise<number> =>
	new Promise((resolve) =>
		made.listen(0, "127.0.0.1", () => resolve((made.address() as AddressInfo).port)),
	);

const makeBackend = (): HttpServer =>
	createServer((incoming, outgoing) => {
		got.push(incoming.rawHeaders);
		incoming.resume();
		const path = incoming.url ?? "";
		outgoing.setHeader("X-Request-Id", "backend's");
		outgoing.setHeader("set-cookie", "sid=topsecret; Path=/");
		if (path.startsWith("/hang")) return;
		if (path.startsWith("/empty")) outgoing.writeHead(204).end();
		else if (path.startsWith("/chunks")) {
			outgoing.write("one ");
			setTimeout(() => outgoing.end("two"), 20);
		} else if (path.startsWith("/broken")) {
			outgoing.writeHead(200, { "content-length": "100" }).write("some");
			setTimeout(() => outgoing.destroy(), 20);
		} else outgoing.end("ok");
	});

const makeCollector = (): HttpServer =>
	createServer(async (incoming, outgoing) => {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const sent = JSON.parse(Buffer.concat(chunks).toString()) as {
			resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
		};
		for (const { scopeSpans } of sent.resourceSpans)
			for (const scope of scopeSpans) spans.push(...scope.spans);
		outgoing.end("{}");
	});

const rule = (path: string, type: string, config?: object) => ({
	name: `rule ${path}`,
	expressions: [`req.url.path == '${path}'`],
	actions: [{ type, ...(config === undefined ? {} : { config }) }],
});

const POLICY = {
	inbound: [
		rule("/deny", "deny", { status_code: 451 }),
		rule("/own", "custom-response", { status_code: 203, content: "own" }),
		rule("/moved", "redirect", { to: "https://elsewhere.example/" }),
		rule("/shut", "close-connection"),
		rule("/logged", "log", { metadata: { a: 1 } }),
		{ ...rule("/watched", "deny"), enforce: false },
		rule("/few", "rate-limit", {
			...{ name: "few at a time", algorithm: "sliding_window", capacity: 1, rate: "60s" },
			bucket_key: ["req.url.path"],
		}),
		{
			expressions: ["req.url.path == '/fails' && req.headers['no'][0] == ''"],
			actions: [{ type: "deny" }],
		},
		{
			expressions: ["req.url.path == '/cors'"],
			actions: [
				{ type: "cors", config: { allow_origins: ["https://a.example"], allow_methods: ["GET"] } },
			],
		},
	],
};

beforeAll(async () => {
	backend = makeBackend();
	collector = makeCollector();
	const { cert, key, pem: made } = await writeCertificate(folder, "a", "a.example");
	pem = made;
	server = await startServer({
		workers: 1,
		config: {
			listen: [{ address: "127.0.0.1:0" }, { address: "127.0.0.1:0", tls: { cert, key } }],
			trusted_proxies: [PROXY],
			log: {
				access: true,
				access_query: true,
				headers: ["X-Tenant", "authorization", "cookie"],
				response_headers: ["set-cookie"],
			},
			request_id: { send: true },
			tracing: { endpoint: `http://127.0.0.1:${await listening(collector)}/v1/traces` },
		},
	});
	await server.route(await listening(backend));
	const dead = {
		match_type: "path_prefix",
		match: "/dead",
		backend: { urls: ["http://127.0.0.1:1"] },
	};
	await server.must(server.api("PUT", "/edges/https/e/routes/dead", dead));
	await server.policy(POLICY);
});
afterAll(async () => {
	await server?.cleanUp();
	for (const each of [backend, collector]) {
		each?.closeAllConnections();
		each?.close();
	}
	rmSync(folder, { recursive: true, force: true });
});

type Line = Record<string, unknown>;
const lineOf = (id: string): Promise<Line> =>
	until(
		() => server.logLines().find((line) => line.request_id === id && line.level === "info"),
		`the line of ${id}`,
	);

const idOf = (headers: readonly string[]): string => {
	const ids = headers.filter(
		(_, at) => headers[at - 1]?.toLowerCase() === "x-request-id" && at % 2 === 1,
	);
	expect(ids).toHaveLength(1);
	return ids[0] ?? "";
};

/** From an address of this machine's own. */
const sendFrom = (localAddress: string, path: string, headers: Record<string, string>) =>
	new Promise<IncomingMessage>((resolve, reject) => {
		const options = {
			host: "127.0.0.1",
			port: server.port,
			path,
			headers,
			localAddress,
			agent: false,
		};
		request(options, (incoming) => resolve(incoming.resume()))
			.on("error", reject)
			.end();
	});

it.each([
	[
		"/plain?a=1",
		{},
		{ status: 200, outcome: "upstream", path: "/plain", query: "a=1", bytes_out: 2 },
	],
	["/chunks", {}, { status: 200, outcome: "upstream", bytes_out: 7 }],
	["/empty", {}, { status: 204, outcome: "upstream", bytes_out: 0 }],
	["/plain", { method: "HEAD" }, { status: 200, method: "HEAD", bytes_out: 0 }],
	[
		"/deny",
		{},
		{ status: 451, outcome: "deny", phase: "inbound", rule: 0, rule_name: "rule /deny" },
	],
	["/own", {}, { status: 203, outcome: "respond", rule_name: "rule /own" }],
	["/moved", {}, { status: 302, outcome: "respond", rule_name: "rule /moved" }],
	["/few", {}, { status: 200, outcome: "upstream" }],
	[
		...["/few", {}],
		{
			...{ status: 429, outcome: "limited", error_code: "ERR_RATE_LIMITED" },
			...{ rule_name: "rule /few", rate_limit: "few at a time" },
		},
	],
	["/fails", {}, { status: 500, outcome: "failed", error_code: "ERR_POLICY_FAILED", rule: 7 }],
	[
		"/cors",
		{
			method: "OPTIONS",
			headers: { origin: "https://a.example", "access-control-request-method": "GET" },
		},
		{ status: 204, outcome: "preflight", rule: 8 },
	],
	[
		"/dead",
		{},
		{
			...{ status: 502, outcome: "edge", error_code: "ERR_UPSTREAM_FAILED", failure: "connect" },
			upstream: "127.0.0.1:1",
		},
	],
	["/logged", {}, { status: 200, traffic_policy: { logs: [{ metadata: { a: 1 } }] } }],
	[
		"/watched",
		{},
		{ status: 200, traffic_policy: { reports: [{ report: "would_deny", rule: 5 }] } },
	],
] as [string, object, Line][])(
	"%s %o has one line, with the id of its answer",
	async (path, sending, expected) => {
		const answer = await send(server.port, path, sending);
		const id = idOf(answer.rawHeaders);
		expect(id).toMatch(ID);
		const line = await lineOf(id);
		expect(line).toMatchObject({ msg: "request", edge: "e", client_ip: "127.0.0.1", ...expected });
		expect(line.duration_ms).toBeGreaterThan(0);
		if (line.outcome === "upstream") {
			expect(line.upstream_response_ms).toBeGreaterThan(0);
			expect(line.upstream).toBe(`127.0.0.1:${(backend.address() as AddressInfo).port}`);
			expect(line.response_headers).toEqual({ "set-cookie": "sid=[redacted]; Path=/" });
		}
		expect(
			server.logLines().filter(({ request_id, msg }) => request_id === id && msg === "request"),
		).toHaveLength(1);
	},
);

it("tells requests that got no answer, or a part of one", async () => {
	await expect(send(server.port, "/shut")).rejects.toThrow();
	await expect(send(server.port, "/broken")).rejects.toThrow();
	const socket = connect(server.port, "127.0.0.1", () => {
		socket.write("GET /hang HTTP/1.1\r\nhost: a\r\n\r\n");
	});
	await until(
		() =>
			got.length > 0 && server.metric("weir_requests_in_flight").then((n) => n > 0 || undefined),
		"it to hang",
	);
	socket.destroy();
	const byPath = (path: string) =>
		until(
			() => server.logLines().find((line) => line.path === path && line.msg === "request"),
			path,
		);
	expect(await byPath("/shut")).toMatchObject({ status: 0, outcome: "close" });
	expect(await byPath("/broken")).toMatchObject({
		...{ status: 200, outcome: "upstream", failure: "broken", bytes_out: 4 },
	});
	expect(await byPath("/hang")).toMatchObject({ aborted: true, outcome: "none" });
});

it("names refused requests too, in line and answer", async () => {
	for (const [bytes, status] of [
		["GET /%zz HTTP/1.1\r\nhost: a\r\n\r\n", 400],
		["GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 400],
		["TRACE /t HTTP/1.1\r\nhost: a\r\n\r\n", 405],
	] as const) {
		const { received } = await sendRaw(server.port, bytes);
		const [, id = ""] = /^x-request-id: (.*)\r$/m.exec(received) ?? [];
		expect(id).toMatch(ID);
		expect(await lineOf(id)).toMatchObject({
			msg: "refused",
			status,
			error_code: expect.any(String),
		});
	}
});

it("takes the id of a trusted proxy, and hands one on in place of others", async () => {
	const headers = { "x-request-id": "edge-7_a", "x-forwarded-for": "8.8.8.8", "X-Tenant": "7" };
	const trusted = await sendFrom(PROXY, "/plain", {
		...headers,
		...{ authorization: "Bearer abc", cookie: "sid=abc" },
	});
	expect(idOf(trusted.rawHeaders)).toBe("edge-7_a");
	expect(idOf(got.at(-1) ?? [])).toBe("edge-7_a");
	const line = await lineOf("edge-7_a");
	expect(line).toMatchObject({
		client_ip: "8.8.8.8",
		country: "US",
		headers: { "x-tenant": "7", authorization: "Bearer [redacted]", cookie: "sid=[redacted]" },
	});
	for (const [from, given] of [
		["127.0.0.1", "stranger"],
		[PROXY, "bad id"],
	] as const) {
		const answer = await sendFrom(from, "/plain", { "x-request-id": given });
		const id = idOf(answer.rawHeaders);
		expect(id).toMatch(ID);
		expect(idOf(got.at(-1) ?? [])).toBe(id);
	}
});

it("tells of TLS", async () => {
	const answer = await send(server.ports[1] ?? 0, "/plain", {
		headers: { host: "a.example" },
		tls: { servername: "a.example", ca: pem },
	});
	expect((await lineOf(idOf(answer.rawHeaders))).tls).toEqual({
		version: "1.3",
		sni: "a.example",
		ja4: expect.stringMatching(/^t13d/),
	});
});

it("continues a trace: server, policy and backend have spans, the backend weir's as its parent", async () => {
	await sendFrom(PROXY, "/plain", { traceparent: PARENT, tracestate: "a=b,c=d" });
	const fields = got.at(-1) ?? [];
	const field = (name: string) => fields.filter((_, at) => fields[at - 1] === name);
	expect(field("tracestate")).toEqual(["a=b,c=d"]);
	const [, parent = ""] =
		new RegExp(`^00-${TRACE}-([0-9a-f]{16})-01$`).exec(field("traceparent")[0] ?? "") ?? [];
	const own = await until(() => {
		const found = spans.filter(({ traceId }) => traceId === TRACE);
		return found.length === 3 ? found : undefined;
	}, "three spans");
	const [internal, serverSpan, client] = own.toSorted((one, other) => one.kind - other.kind);
	expect(serverSpan).toMatchObject({ kind: 2, parentSpanId: SPAN, name: "GET" });
	expect(internal).toMatchObject({ kind: 1, parentSpanId: serverSpan?.spanId, name: "policy" });
	expect(client).toMatchObject({ kind: 3, parentSpanId: serverSpan?.spanId, spanId: parent });
	const line = await until(
		() => server.logLines().find(({ trace_id }) => trace_id === TRACE),
		"its line",
	);
	expect(serverSpan?.attributes).toContainEqual({
		key: "weir.request_id",
		value: { stringValue: line.request_id },
	});
	// Not sampled by the proxy's wish; a state without a parent that can be read goes no further.
	await sendFrom(PROXY, "/plain", { traceparent: `00-${"9".repeat(32)}-${SPAN}-00` });
	expect((got.at(-1) ?? []).join()).toMatch(new RegExp(`00-${"9".repeat(32)}-[0-9a-f]{16}-00`));
	await sendFrom(PROXY, "/plain", { traceparent: "00-bad", tracestate: "a=b" });
	expect((got.at(-1) ?? []).join()).not.toMatch(/tracestate|00-bad/);
});

it("serves on without the collector, and counts what it did not take", async () => {
	collector.closeAllConnections();
	await new Promise((resolve) => collector.close(resolve));
	const series = 'weir_trace_spans_total{result="failed"}';
	await until(
		async () => {
			await Promise.all(Array.from({ length: 20 }, () => server.get("/plain")));
			return (await server.metric(series)) > 0 || undefined;
		},
		"spans that nobody takes",
		20_000,
	);
	await until(
		() => server.logLines().find(({ msg }) => msg === "the collector takes no spans"),
		"the line that says so",
	);
});

it("takes over another form and a file of its own, which is opened again after rotation", async () => {
	const file = join(folder, "access");
	const { logFile } = server;
	const log = {
		destination: logFile,
		access: true,
		access_destination: file,
		access_format: "combined",
	};
	server.configure({ log });
	server.child.kill("SIGHUP");
	const reloaded = () => server.logLines().find(({ msg }) => msg === "config reloaded");
	await until(reloaded, "the reload");
	await server.get("/deny?secret", { "user-agent": 'a"b\\' });
	await server.get("/logged");
	const text = () => readFileSync(file, "utf8");
	await until(() => text().split("\n").length > 2 || undefined, "two lines");
	expect(text()).toMatch(
		/^127\.0\.0\.1 - - \[[^\]]+ \+0000\] "GET \/deny HTTP\/1\.1" 451 0 "-" "a\\x22b\\x5C"\n/,
	);
	expect(server.logLines().at(-1)).toMatchObject({ path: "/logged", traffic_policy: {} });
	renameSync(file, `${file}.1`);
	server.child.kill("SIGUSR1");
	await until(() => existsSync(file) || undefined, "a new file");
	await server.get("/own");
	await until(() => (text().includes('"GET /own HTTP/1.1" 203 3') ? true : undefined), "its line");
});

it("leaves all these fields as they come where neither is on", async () => {
	server.configure({ request_id: {}, tracing: {} });
	server.child.kill("SIGHUP");
	await server.replaced(1);
	const headers = { "x-request-id": "client's own", traceparent: PARENT, tracestate: "a=b" };
	const answer = await send(server.port, "/plain", { headers });
	expect(idOf(answer.rawHeaders)).toBe("backend's");
	const fields = got.at(-1) ?? [];
	for (const [name, value] of Object.entries(headers)) {
		expect(fields.filter((_, at) => fields[at - 1] === name)).toEqual([value]);
	}
	expect((await send(server.port, "/deny")).headers["x-request-id"]).toBe(undefined);
});
