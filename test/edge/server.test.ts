/** Listeners, certificates, draining (contract 1, 6). */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TlsFiles } from "../../src/config.ts";
import { writeCertificate } from "../certificate.ts";
import { refuses } from "../e2e/harness.ts";
import { listenerWith } from "../listener.ts";
import { get, post, RawClient, RawUpstream, startEdge } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-tls-"));
const upstream = new RawUpstream();
const defaultAnswer = upstream.onRequest;
let url = "";
let plain: TlsFiles;
let several: TlsFiles;

beforeAll(async () => {
	url = await upstream.listen();
	plain = await writeCertificate(folder, "plain", "plain.test");
	several = await writeCertificate(folder, "several", "several.test", ["One.test", "*.wild.test"]);
});
afterAll(async () => {
	await upstream.close();
	rmSync(folder, { recursive: true });
});

describe("a TLS listener", () => {
	it("chooses the certificate by name, serves all names, and says https upstream", async () => {
		const edge = await startEdge({
			listen: [listenerWith({ tls: [plain, several] })],
			urls: [url],
		});
		const snis: string[] = [];
		edge.setPolicy({
			inbound: (exchange) => {
				snis.push(exchange.tlsSni);
				return { kind: "continue" };
			},
		});
		const askTls = async (servername: string) => {
			const socket = connectTls({
				port: edge.port,
				host: "127.0.0.1",
				servername,
				rejectUnauthorized: false,
			});
			const client = new RawClient(edge.port, socket);
			const { status, body } = await client.send(post("/x", "hello")).response();
			const name = socket.getPeerCertificate().subject.CN;
			client.destroy();
			return [status, body, name];
		};
		upstream.requests.length = 0;
		expect(await askTls("plain.test")).toEqual([200, "ok", "plain.test"]);
		expect(await askTls("one.test")).toEqual([200, "ok", "several.test"]);
		expect(await askTls("a.wild.test")).toEqual([200, "ok", "several.test"]);
		expect(await askTls("unknown.test")).toEqual([200, "ok", "plain.test"]);
		expect(snis).toEqual(["plain.test", "one.test", "a.wild.test", "unknown.test"]);
		expect(upstream.requests[0]).toContain("x-forwarded-proto: https");
		await edge.close();
	});

	it("refuses what a plain one refuses", async () => {
		const edge = await startEdge({
			listen: [listenerWith({ tls: [plain] })],
			urls: [url],
		});
		upstream.requests.length = 0;
		const socket = connectTls({ port: edge.port, host: "127.0.0.1", rejectUnauthorized: false });
		const client = new RawClient(edge.port, socket);
		client.send(`GET / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n${get("/smuggled")}`);
		await client.untilClosed();
		expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
		expect(upstream.requests).toEqual([]);
		await edge.close();
	});
});

describe("listening", () => {
	it("several listeners at once, on IPv6 too, with the client address in its short form", async () => {
		const edge = await startEdge({
			listen: [listenerWith(), listenerWith({ host: "::1" })],
			urls: [url],
		});
		upstream.requests.length = 0;
		const client = new RawClient(0, (await import("node:net")).connect(edge.ports[1] ?? 0, "::1"));
		expect((await client.send(get("/")).response()).status).toBe(200);
		client.destroy();
		expect(upstream.requests[0]).toContain("x-forwarded-for: ::1\r\n");
		await edge.close();
	});

	it("says which address can't be had", async () => {
		const taken = createServer();
		await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
		const { port } = taken.address() as { port: number };
		await expect(startEdge({ listen: [listenerWith({ port })] })).rejects.toThrow(
			`127.0.0.1 port ${port}`,
		);
		await new Promise((resolve) => taken.close(resolve));
	});
});

describe("draining", () => {
	it("finishes what is in flight with connection: close, takes no new connection, closes idle ones", async () => {
		const edge = await startEdge({ urls: [url] });
		let answer = () => {};
		upstream.requests.length = 0;
		upstream.onRequest = (socket) => {
			answer = () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		};
		const idle = new RawClient(edge.port);
		const busy = new RawClient(edge.port).send(get("/"));
		await expect.poll(() => upstream.requests.length).toBe(1);
		let drained = false;
		const draining = edge.edge.drain(10_000).then(() => {
			drained = true;
		});
		await expect.poll(() => refuses(edge.port)).toBe(true);
		const late = await new RawClient(edge.port).untilClosed();
		expect(late.received).toBe("");
		expect(drained).toBe(false);
		answer();
		const response = await busy.response();
		expect([response.status, response.body, response.header("connection")]).toEqual([
			200,
			"ok",
			"close",
		]);
		await draining;
		await idle.untilClosed();
		upstream.onRequest = defaultAnswer;
	});

	it("ends at its deadline and resets what isn't finished", async () => {
		const edge = await startEdge({ urls: [url] });
		upstream.requests.length = 0;
		upstream.onRequest = () => {};
		const client = new RawClient(edge.port).send(get("/"));
		await expect.poll(() => upstream.requests.length).toBe(1);
		await edge.edge.drain(50);
		await client.untilClosed();
		expect(client.received).toBe("");
		upstream.onRequest = defaultAnswer;
	});

	it("chunked answers and answers without a body are whole while draining", async () => {
		const edge = await startEdge({ urls: [url] });
		const answers: (() => void)[] = [];
		upstream.onRequest = (socket, head) => {
			answers.push(() =>
				socket.write(
					head.startsWith("HEAD")
						? "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"
						: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
				),
			);
		};
		const chunked = new RawClient(edge.port).send(get("/"));
		const head = new RawClient(edge.port).send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
		await expect.poll(() => answers.length).toBe(2);
		const draining = edge.edge.drain(10_000);
		for (const answer of answers) answer();
		expect((await chunked.response()).body).toBe("ok");
		expect((await head.response("HEAD")).header("content-length")).toBe("7");
		await draining;
		upstream.onRequest = defaultAnswer;
	});
});

describe("keep-alive", () => {
	it("many requests share a connection, whatever the answers", async () => {
		const edge = await startEdge({ urls: [url] });
		const client = new RawClient(edge.port);
		for (let index = 0; index < 200; index++) {
			client.send(index % 3 === 0 ? post("/", "x".repeat(index)) : get(`/${index}`));
			expect((await client.response()).status).toBe(200);
		}
		client.send(get("/"));
		expect((await client.response()).header("connection")).toBeUndefined();
		client.destroy();
		await edge.close();
	});

	it("connection: close is honoured", async () => {
		const edge = await startEdge({ urls: [url] });
		const client = await new RawClient(edge.port).send(get("/", "Connection: close")).untilClosed();
		expect(client.received).toMatch(/\r\nconnection: close\r\n[\s\S]*\r\n\r\nok$/);
		await edge.close();
	});
});

it("a worker that is told to leave before it listens accepts nothing", async () => {
	const edge = await startEdge({ urls: [url] });
	const gone = edge.close();
	await edge.edge.listen();
	expect(await refuses(edge.edge.ports[1] ?? 0)).toBe(true);
	await gone;
});
