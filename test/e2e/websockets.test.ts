/**
 * WebSockets over the real server (contract 6, "Upgrades"), plain and TLS before and behind it, with `ws` at both ends:
 * it says nothing of its own to either, holds a bounded part of what one side does not take, and tells both of the end.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { type Server, startServer, until } from "./harness.ts";
import { startWebSockets, type WebSocketBackend, WebSocketClient } from "./websocket-backend.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-websockets-"));
const backends = {} as Record<"plain" | "tls", WebSocketBackend>;
let server: Server;
const clients: WebSocketClient[] = [];

beforeAll(async () => {
	const files = await writeCertificate(folder, "all", "localhost");
	const pair = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
	backends.plain = await startWebSockets(undefined);
	backends.tls = await startWebSockets(pair);
	const { cert, key } = files;
	server = await startServer({
		workers: 1,
		config: {
			listen: [{ address: "127.0.0.1:0" }, { address: "127.0.0.1:0", tls: { cert, key } }],
			timeouts: { drain_ms: 2000 },
			log: { access: true },
		},
	});
	await server.must(server.api("PUT", "/edges/https/e", { hostports: ["*"] }));
	for (const kind of ["plain", "tls"] as const) {
		const scheme = kind === "tls" ? "https" : "http";
		const urls = [`${scheme}://127.0.0.1:${backends[kind].port}`];
		const backend = { urls, ...(kind === "tls" ? { tls: { verify: false } } : {}) };
		const route = { match_type: "path_prefix", match: `/${kind}`, backend };
		await server.must(server.api("PUT", `/edges/https/e/routes/${kind}`, route));
	}
});
afterEach(() => {
	for (const { socket } of clients.splice(0)) socket.terminate();
});
afterAll(async () => {
	await server?.cleanUp();
	backends.plain?.close();
	backends.tls?.close();
	rmSync(folder, { recursive: true, force: true });
});

const WAYS = (["plain", "tls"] as const).flatMap((front) =>
	(["plain", "tls"] as const).map((behind) => ({ front, behind })),
);
type Way = (typeof WAYS)[number];

async function connected({ front, behind }: Way, path = "", ...rest: [string[]?, object?]) {
	const [scheme, port] = front === "tls" ? ["wss", server.ports[1]] : ["ws", server.ports[0]];
	const client = new WebSocketClient(`${scheme}://127.0.0.1:${port}/${behind}/${path}`, ...rest);
	clients.push(client);
	return client.open();
}

const heard = <T>(list: readonly T[], many: number): Promise<readonly T[]> =>
	until(() => (list.length >= many ? list : undefined), `${many} of ${list.length}`);
const ended = ({ closed }: WebSocketClient): readonly [number, string] | undefined => closed;

const SIZES = [0, 1, 125, 126, 65_535, 65_536, 1_048_576];

describe.each(WAYS)("$front before, $behind behind", (way) => {
	it("messages of all lengths come back as they were, text and binary", async () => {
		const client = await connected(way, "", [], { perMessageDeflate: false });
		const sent = SIZES.flatMap((size) => ["é".repeat(size / 2), randomBytes(size)]);
		for (const message of sent) client.socket.send(message);
		const back = await heard(client.messages, sent.length);
		expect(
			back.every((message, index) => Buffer.from(sent[index] ?? "").equals(Buffer.from(message))),
		).toBe(true);
		expect(back.map((message) => typeof message)).toEqual(sent.map((message) => typeof message));
	});

	it("fragments with a ping between them, pings and pongs both ways", async () => {
		const client = await connected(way, "", [], { perMessageDeflate: false });
		client.socket.send("one ", { fin: false });
		client.socket.ping("p".repeat(125));
		client.socket.send("two ", { fin: false });
		client.socket.send("three", { fin: true });
		expect(await heard(client.messages, 1)).toEqual(["one two three"]);
		expect(await heard(client.pongs, 1)).toEqual(["p".repeat(125)]);
		backends[way.behind].last.socket?.ping("from behind");
		expect(await heard(client.pings, 1)).toEqual(["from behind"]);
	});

	it("subprotocol and permessage-deflate are agreed upon end to end", async () => {
		const client = await connected(way, "deflated", ["a", "b"], {
			perMessageDeflate: { threshold: 0 },
		});
		expect([client.socket.protocol, client.socket.extensions]).toEqual(["b", "permessage-deflate"]);
		const text = "the same ".repeat(20_000);
		client.socket.send(text);
		expect(await heard(client.messages, 1)).toEqual([text]);
		const { headers } = backends[way.behind].last;
		expect(headers["x-forwarded-proto"]).toBe(way.front === "tls" ? "https" : "http");
		expect(headers["sec-websocket-extensions"]).toContain("permessage-deflate");
		const port = backends[way.behind].port;
		const answered = { outcome: "upstream", upstream: `127.0.0.1:${port}` };
		const line = await until(
			() =>
				server
					.logLines()
					.find(({ msg, path }) => msg === "request" && path === `/${way.behind}/deflated`),
			"the handshake in the log",
		);
		expect(line).toMatchObject({ status: 101, ...answered });
	});

	it.each([1000, 1001, 1011, 3000, 4999])("close code %i, said by either side", async (code) => {
		const { closed } = backends[way.behind];
		const byClient = await connected(way);
		const before = closed.length;
		byClient.socket.close(code, "bye");
		expect(await until(() => ended(byClient), "the end")).toEqual([code, "bye"]);
		expect((await heard(closed, before + 1)).at(-1)).toBe(code);
		const byBackend = await connected(way, `?close=${code}`);
		byBackend.socket.send("close");
		expect(await until(() => ended(byBackend), "the end")).toEqual([code, "as asked"]);
	});

	it("what is no UTF-8 goes through: the backend says so, not weir", async () => {
		const client = await connected(way, "", [], { perMessageDeflate: false });
		client.socket.send(Buffer.from([0xc3, 0x28]), { binary: false });
		expect((await until(() => ended(client), "the end"))[0]).toBe(1007);
	});

	it("a backend that breaks ends its client, a client that breaks its backend", async () => {
		const client = await connected(way);
		backends[way.behind].last.socket?.terminate();
		expect((await until(() => ended(client), "the end"))[0]).toBe(1006);
		const { closed } = backends[way.behind];
		const before = closed.length;
		(await connected(way)).socket.terminate();
		expect((await heard(closed, before + 1)).at(-1)).toBe(1006);
	});

	it("a reader that stops costs bounded memory, and loses nothing", async () => {
		const client = await connected(way, "", [], { perMessageDeflate: false });
		const behind = backends[way.behind].last.socket;
		const chunk = randomBytes(1_048_576);
		const many = 64;
		const rss = workerRss();
		client.socket.pause();
		for (let index = 0; index < many; index++) behind?.send(chunk);
		// What was written by then is all that fits: nobody reads.
		await settled(() => behind?.bufferedAmount ?? 0);
		expect(behind?.bufferedAmount).toBeGreaterThan(many * chunk.length * 0.5);
		expect(workerRss() - rss).toBeLessThan(24 * 1_048_576);
		client.socket.resume();
		const back = await heard(client.messages, many);
		const hashes = new Set(back.map((message) => digest(message as Buffer)));
		expect([back.length, ...hashes]).toEqual([many, digest(chunk)]);
		await settled(() => client.messages.length);
	}, 60_000);

	it("so does a backend that stops, and takes up where it was", async () => {
		const client = await connected(way, "", [], { perMessageDeflate: false });
		const behind = backends[way.behind].last.socket;
		const chunk = randomBytes(1_048_576);
		const many = 64;
		const rss = workerRss();
		behind?.pause();
		for (let index = 0; index < many; index++) client.socket.send(chunk);
		await settled(() => client.socket.bufferedAmount);
		expect(client.socket.bufferedAmount).toBeGreaterThan(many * chunk.length * 0.5);
		expect(workerRss() - rss).toBeLessThan(24 * 1_048_576);
		behind?.resume();
		const back = await heard(client.messages, many);
		expect(new Set(back.map((message) => digest(message as Buffer)))).toEqual(
			new Set([digest(chunk)]),
		);
	}, 60_000);
});

const digest = (bytes: Buffer): string => createHash("sha1").update(bytes).digest("hex");

/** bytes of the one worker */
function workerRss(): number {
	const status = readFileSync(`/proc/${server.workerPids()[0]}/status`, "utf8");
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** Resolves when the value has been the same for half a second. */
async function settled(value: () => number): Promise<void> {
	let last = value();
	let since = Date.now();
	await until(() => {
		if (value() !== last) {
			last = value();
			since = Date.now();
		}
		return Date.now() - since > 500 || undefined;
	}, "a value that stays");
}

it("tells the metrics and the log who ended them", async () => {
	const client = await connected({ front: "plain", behind: "plain" });
	expect(await server.metric("weir_tunnels_open")).toBeGreaterThan(0);
	const lines = () => server.logLines().filter(({ msg }) => msg === "tunnel ended");
	const before = lines().length;
	client.socket.send("hello");
	await heard(client.messages, 1);
	client.socket.terminate();
	const ends = await until(() => (lines().length > before ? lines() : undefined), "its line");
	expect(ends.at(-1)).toMatchObject({ protocol: "websocket", path: "/plain/", ended_by: "client" });
	expect(ends.at(-1)?.bytes_in).toBeGreaterThan(0);
	expect(await server.metric('weir_requests_total{class="1xx"}')).toBeGreaterThan(20);
});

it("a server that stops says 1001 to both sides when its time is over", async () => {
	await until(
		async () => (await server.metric("weir_tunnels_open")) === 0 || undefined,
		"no tunnel",
	);
	const all = await Promise.all(WAYS.map((way) => connected(way)));
	const { closed } = backends.plain;
	const before = closed.length;
	const began = Date.now();
	const stopped = server.stop();
	for (const client of all) {
		expect((await until(() => ended(client), "the end"))[0]).toBe(1001);
	}
	expect(Date.now() - began).toBeGreaterThan(1900);
	expect(await stopped).toBe(0);
	expect(closed.slice(before)).toEqual([1001, 1001]);
	const drained = server.logLines().filter(({ ended_by }) => ended_by === "drain");
	expect(drained).toHaveLength(WAYS.length);
});
