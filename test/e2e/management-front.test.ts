/**
 * The management API of a real server over raw sockets, plain and within TLS, behind weir's own front and read by the
 * server library alone: what is refused, taken, waited for and held back.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { RawClient, secureClient } from "../edge/harness.ts";
import { BAD_CHUNKS, BAD_FRAMING, FRONT_ONLY } from "../http/refused-requests.ts";
import { KEY, type Server, startServer, until } from "./harness.ts";

const HEADER_MS = 900;
const IDLE_MS = 1500;
/** what a look at the clock may be late, and a busy machine */
const LATE_MS = 2500;
const times = { timeouts: { request_header_ms: HEADER_MS, idle_ms: IDLE_MS } };
const POLICY_BYTES = 1_048_576;

const folder = mkdtempSync(join(tmpdir(), "weir-api-front-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const request = (line: string, ...lines: readonly string[]): string =>
	[`${line} HTTP/1.1`, "host: localhost", `authorization: Bearer ${KEY}`, ...lines, "", ""].join(
		"\r\n",
	);
const JSON_BODY = "content-type: application/json";
const put = (id: string, ...lines: readonly string[]): string =>
	request(`PUT /edges/https/${id}`, JSON_BODY, ...lines);
const documentOf = (id: string): string => JSON.stringify({ hostports: [`${id}.example`] });
const wholePut = (id: string): string =>
	`${put(id, `content-length: ${documentOf(id).length}`)}${documentOf(id)}`;

const code = (body: string): unknown => JSON.parse(body).error_code;

describe.each([
	["front on, plain", "on", false],
	["front on, TLS", "on", true],
	["front off, plain", "off", false],
	["front off, TLS", "off", true],
] as const)("%s", (_name, front, isSecure) => {
	const isFront = front === "on";
	let server: Server;
	let clients: RawClient[] = [];
	beforeAll(async () => {
		const { cert, key } = await writeCertificate(folder, "api", "api.test");
		const tls = isSecure ? { tls: { cert, key } } : {};
		const management = { address: "127.0.0.1:0", ...tls };
		const config = { front, management, ...(isFront ? times : {}) };
		server = await startServer({ workers: 1, config });
	}, 60_000);
	afterAll(() => server.cleanUp());
	afterEach(() => {
		for (const client of clients) client.destroy();
		clients = [];
	});
	const open = (): RawClient => {
		const port = server.managementPort;
		const client = isSecure ? secureClient(port, "api.test") : new RawClient(port);
		clients.push(client);
		return client;
	};
	const ask = async (bytes: string) => open().send(bytes).response();
	const auditLines = () => server.logLines().filter(({ msg }) => msg === "audit");

	it("says who reads its clients", async () => {
		const { status, body } = await ask(request("GET /healthz"));
		expect([status, JSON.parse(body)]).toEqual([
			200,
			{ status: "ok", front, management_front: front },
		]);
	});

	it.each(isFront ? [...BAD_FRAMING, ...FRONT_ONLY] : BAD_FRAMING)(
		"refuses %s: %i",
		async (_what, status, bytes) => {
			const behind = isFront ? request("DELETE /edges/https/smuggled") : "";
			const client = await open()
				.send(bytes + behind)
				.untilClosed();
			const statuses = [...client.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) => each);
			expect(statuses).toEqual([String(status)]);
			expect(client.received).toMatch(/^connection: close\r$/im);
			if (!isFront) return;
			const body = client.received.slice(client.received.indexOf("\r\n\r\n"));
			expect(JSON.parse(body)).toMatchObject({
				status_code: status,
				msg: expect.stringMatching(/^The request is refused: .*\.$/),
				problems: [],
			});
			expect(client.received).toMatch(/^request-id: req_[0-9a-f]{24}\r$/m);
			expect(client.reset).toBe(false);
		},
	);

	it.runIf(isFront).each(BAD_CHUNKS)(
		"refuses a chunk with %s, and stores nothing",
		async (_what, body) => {
			const client = open().send(put("chunks", "transfer-encoding: chunked") + body);
			const answer = await client.response();
			expect([answer.status, code(answer.body)]).toEqual([400, "ERR_BAD_REQUEST"]);
			await client.untilClosed();
			expect((await ask(request("GET /edges/https/chunks"))).status).toBe(404);
		},
	);

	it("has an audit line for a refused change, and for its smuggled companion none", async () => {
		const two = ["content-length: 1", "content-length: 2"];
		await open()
			.send(put("audited", ...two) + request("DELETE /edges/https/smuggled"))
			.untilClosed();
		const found = await until(
			() => auditLines().find(({ edge }) => edge === "audited"),
			"the audit line",
		);
		const expected = { operation: "putEdge", status: 400, error_code: "ERR_BAD_REQUEST" };
		expect(found).toMatchObject(expected);
		expect(auditLines().filter(({ edge }) => edge === "smuggled")).toEqual([]);
	});

	it.runIf(isFront).each([
		["HTTP/1.0", 200, "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n"],
		["HTTP/1.0 without a host", 200, "GET /healthz HTTP/1.0\r\n\r\n"],
		["an absolute-form target", 200, "GET http://localhost/healthz HTTP/1.1\r\nHost: evil\r\n\r\n"],
		["that of a foreign host", 421, "GET http://evil/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"],
		["empty lines before a request", 200, `\r\n\r\n${request("GET /healthz")}`],
		["bytes above 127 in a value", 200, request("GET /healthz", "x: \xe9\xff", "y: t\xc3\xa9")],
		["OPTIONS *", 404, request("OPTIONS *")],
	])("takes %s: %i", async (_what, status, bytes) => {
		expect((await ask(bytes)).status).toBe(status);
	});

	it.runIf(isFront)(
		"closes behind an answer to HTTP/1.0, or keeps it open if asked to",
		async () => {
			const old = (...lines: string[]) =>
				`${request("GET /healthz", ...lines)}`.replace("1.1", "1.0");
			const closed = await open().send(old()).untilClosed();
			expect(closed.received).toMatch(/^HTTP\/1\.1 200 /);
			const kept = open();
			for (let each = 0; each < 2; each++) {
				const { status, header } = await kept.send(old("connection: keep-alive")).response();
				expect([status, header("connection")]).toEqual([200, "keep-alive"]);
			}
		},
	);

	it.runIf(isFront)("answers pipelined changes in their order, each durable", async () => {
		const client = open();
		const ids = Array.from({ length: 12 }, (_, each) => `p${each}`);
		const bytes = ids.map((id) => wholePut(id) + request(`DELETE /edges/https/${id}`)).join("");
		for (let at = 0; at < bytes.length; at += 333) client.send(bytes.slice(at, at + 333));
		for (const _ of ids) {
			expect((await client.response()).status).toBe(201);
			expect((await client.response("HEAD")).status).toBe(204);
		}
	});

	it("takes a body in chunks, with extensions and trailers where the front reads them", async () => {
		const document = documentOf("chunked");
		const [extension, trailer] = isFront ? [";a=b", "x: 1\r\n"] : ["", ""];
		const chunk = `${document.length.toString(16)}${extension}\r\n${document}\r\n0\r\n${trailer}\r\n`;
		expect((await ask(put("chunked", "transfer-encoding: chunked") + chunk)).status).toBe(201);
	});

	describe("expect: 100-continue", () => {
		const waiting = (key: string, length: number): string =>
			put("expected", `content-length: ${length}`, "expect: 100-continue").replace(KEY, key);

		it("is met before the body is sent", async () => {
			const document = documentOf("expected");
			const client = open().send(waiting(KEY, document.length));
			await client.until(({ received }) => received.endsWith("HTTP/1.1 100 Continue\r\n\r\n"));
			expect((await client.send(document).response()).status).toBe(201);
		});

		it.runIf(isFront).each([
			["a foreign key", 403, "foreign", 100],
			["too large a body", 413, KEY, POLICY_BYTES + 1],
		])("is not met for %s: %i, and the connection ends", async (_what, status, key, length) => {
			const client = open().send(waiting(key, length) + request("DELETE /edges/https/smuggled"));
			await client.untilClosed();
			expect(client.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
			expect(client.received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
			expect(client.received).toMatch(/^connection: close\r$/m);
		});
	});

	it.each([
		["with a length", `content-length: ${3 * POLICY_BYTES}`, (body: string) => body],
		[
			"in chunks",
			"transfer-encoding: chunked",
			(body: string) => `${body.length.toString(16)}\r\n${body}\r\n`,
		],
	])("a body that is too large %s: its sender can read why", async (_how, line, wrap) => {
		const client = open().send(put("large", line) + wrap(" ".repeat(3 * POLICY_BYTES)));
		await client.untilClosed(20_000);
		expect(client.received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"ERR_BODY_TOO_LARGE"/);
		expect(client.reset).toBe(false);
	});

	it("a refused request whose body is known to be short leaves the connection in step", async () => {
		const client = open().send(put("short", "content-length: 6").replace(KEY, "foreign"));
		expect((await client.response()).status).toBe(403);
		// Six bytes of body that look like something else.
		client.send(`GET / ${request("GET /healthz")}`);
		expect((await client.response()).status).toBe(200);
	});

	describe.runIf(isFront)("times", () => {
		const timed = async (client: RawClient): Promise<number> => {
			const begin = performance.now();
			await client.untilClosed();
			return performance.now() - begin;
		};

		it.each([
			["a header that never ends", "GET /healthz HTTP/1.1\r\nhost: localhost\r\n", 408, HEADER_MS],
			["a connection that says nothing", "", undefined, HEADER_MS],
			["a connection after its answer", request("GET /healthz"), 200, IDLE_MS],
		])("%s is closed in time", async (_what, bytes, status, limitMs) => {
			const client = open();
			await client.until(() => client.socket.readyState === "open");
			client.send(bytes);
			const took = await timed(client);
			if (status === undefined) expect(client.received).toBe("");
			else expect(client.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\}$`));
			if (status === 408) expect(client.received).toContain("ERR_REQUEST_TIMEOUT");
			expect(took).toBeGreaterThan(limitMs - 300);
			expect(took).toBeLessThan(limitMs + LATE_MS);
		});

		it("closed ones are counted", async () => {
			const { body } = await ask(request("GET /metrics"));
			expect(body).toMatch(/^weir_clients_silent_total\{reason="silent"\} [1-9]/m);
		});
	});
});
