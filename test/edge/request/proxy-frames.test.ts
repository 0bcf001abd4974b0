/**
 * PROXY protocol on plain and TLS listeners (contract 4): a connection's first bytes say who the client is,
 * nothing else does, and without them there is no connection.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { TlsFiles } from "../../../src/config.ts";
import { ProxyFrames } from "../../../src/edge/request/proxy-frames.ts";
import { App, us_listen_socket_close } from "../../../src/http/uws.ts";
import { addon } from "../../../src/native-addon.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import { writeCertificate } from "../../certificate.ts";
import { listenerWith } from "../../listener.ts";
import { frame, frameOf, LOCAL, lineOf, tlv } from "../frames.ts";
import {
	CONTINUE,
	get,
	type Phases,
	post,
	RawClient,
	RawUpstream,
	startEdge,
	type TestEdge,
} from "../harness.ts";

const REFUSED = "weir_proxy_frames_refused_total";
const folder = mkdtempSync(join(tmpdir(), "weir-frames-"));
const upstream = new RawUpstream();
let url: string;
const NO_LOG = {
	encoded() {},
	info() {},
	warn() {},
	error() {},
	flush: () => Promise.resolve(),
	close: () => Promise.resolve(),
	reopen() {},
};
let certificate: TlsFiles;
let edge: TestEdge;
/** `ip port` of each exchange that a policy saw */
let seen: string[] = [];
const POLICY: Phases = {
	inbound: (exchange) => {
		seen.push(`${exchange.clientIp} ${exchange.clientPort}`);
		return exchange.url.path === "/denied" ? { kind: "deny", statusCode: 403 } : CONTINUE;
	},
};
/** Connected first and never sent a whole frame. */
let idle: RawClient[] = [];

beforeAll(async () => {
	url = await upstream.listen();
	certificate = await writeCertificate(folder, "frames", "frames.test");
	edge = await start([]);
	idle = [frameOf("203.0.113.9").slice(0, 20), "PROXY TC", ""].map((beginning) =>
		new RawClient(edge.port).send(beginning),
	);
	// Also with a good one: nothing follows, or a handshake begins and stops.
	idle.push(new RawClient(edge.port).send(LOCAL));
	idle.push(new RawClient(edge.ports[1] ?? 0).send(`${LOCAL}\x16\x03\x01\x02\0\x01`));
	idle.push(dripping(frameOf("203.0.113.9", 1, tlv(4, "x".repeat(500)))));
});
afterEach(() => {
	seen = [];
	upstream.requests.length = 0;
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
	rmSync(folder, { recursive: true });
});

/** Sends a byte four times a second until it is closed. */
function dripping(beginning: string): RawClient {
	const client = new RawClient(edge.port);
	let at = 0;
	const timer = setInterval(() => client.send(beginning.charAt(at++)), 250);
	client.socket.on("close", () => clearInterval(timer));
	return client;
}

async function start(trustedProxies: string[]): Promise<TestEdge> {
	const started = await startEdge({
		listen: [
			listenerWith({ proxyProtocol: true }),
			listenerWith({ proxyProtocol: true, tls: [certificate] }),
		],
		urls: [url],
		config: { trustedProxies },
	});
	started.setPolicy(POLICY);
	return started;
}

/** what the upstream was told of each request */
const forwarded = (): (string | undefined)[] =>
	upstream.requests.map((text) => /^x-forwarded-for: (.*)\r$/m.exec(text)?.[1]);

const plain = (beginning: string): RawClient => new RawClient(edge.port).send(beginning);

/** A TLS client behind a proxy that sends `beginning`, in pieces if it is a list. */
async function secure(beginning: string | readonly string[]): Promise<RawClient> {
	const socket: Socket = connect(edge.ports[1] ?? 0, "127.0.0.1");
	socket.setNoDelay();
	for (const piece of typeof beginning === "string" ? [beginning] : beginning) {
		await written(socket, piece);
	}
	return new RawClient(
		0,
		connectTls({ socket, servername: "frames.test", rejectUnauthorized: false }),
	);
}

const statusOf = async (client: RawClient): Promise<number> => (await client.response()).status;

describe.each([
	["plain", async (beginning: string) => plain(beginning)],
	["TLS", secure],
] as const)("%s", (_, open) => {
	it.each([
		["version 2, IPv4", frameOf("203.0.113.9", 4711), "203.0.113.9 4711"],
		["version 2, IPv6", frameOf("2001:db8:0:0:0:0:0:5", 65_535), "2001:db8::5 65535"],
		[
			"version 2 with TLVs",
			frameOf("203.0.113.9", 1, tlv(5, "unique") + tlv(4, "x".repeat(480))),
			"203.0.113.9 1",
		],
		["version 2, IPv4 within IPv6", frameOf("0:0:0:0:0:ffff:cb00:7109"), "203.0.113.9 1000"],
		["version 1, IPv4", lineOf("203.0.113.9", 0), "203.0.113.9 0"],
		["version 1, IPv6", lineOf("2001:DB8::5"), "2001:db8::5 1000"],
		["version 1, unknown", "PROXY UNKNOWN 203.0.113.9 127.0.0.1 1 2\r\n", "127.0.0.1 own"],
		["LOCAL", LOCAL, "127.0.0.1 own"],
		["LOCAL with addresses", frameOf("203.0.113.9").replace("\x21", "\x20"), "127.0.0.1 own"],
	])("%s, is the client of every request of its connection", async (_name, beginning, client) => {
		const connection = await open(beginning);
		for (let request = 0; request < 3; request++) {
			expect(await statusOf(connection.send(get("/")))).toBe(200);
		}
		connection.destroy();
		const [ip, port] = client.split(" ");
		// The proxy's own port, one and the same.
		const expected = port === "own" ? seen[0] : client;
		expect(seen).toEqual([expected, expected, expected]);
		expect(expected?.split(" ")[0]).toBe(ip);
		expect(expected).not.toBe("127.0.0.1 0");
		expect(forwarded()).toEqual([ip, ip, ip]);
	});

	it("is of one connection alone, also when it is closed and another opened", async () => {
		const first = await open(frameOf("203.0.113.9"));
		const second = await open(LOCAL);
		expect(await statusOf(first.send(get("/")))).toBe(200);
		expect(await statusOf(second.send(get("/")))).toBe(200);
		expect(await statusOf(first.send(get("/")))).toBe(200);
		first.destroy();
		await first.untilClosed();
		const third = await open(LOCAL);
		expect(await statusOf(third.send(get("/")))).toBe(200);
		second.destroy();
		third.destroy();
		expect(forwarded()).toEqual(["203.0.113.9", "127.0.0.1", "203.0.113.9", "127.0.0.1"]);
	});

	it("a client's own frame before a request ends its connection, and is believed by nobody", async () => {
		const forged = frameOf("198.51.100.1");
		const begun = (await open(frameOf("203.0.113.9"))).send(forged + get("/"));
		expect(await statusOf(begun)).toBe(400);
		await begun.untilClosed();
		const later = (await open(frameOf("203.0.113.9"))).send(get("/"));
		expect(await statusOf(later)).toBe(200);
		expect(await statusOf(later.send(forged).send(get("/")))).toBe(400);
		await later.untilClosed();
		expect(forwarded()).toEqual(["203.0.113.9"]);
	});

	it("a line of version 1 before a request is a bad request", async () => {
		const client = (await open(frameOf("203.0.113.9"))).send(lineOf("198.51.100.1") + get("/"));
		await client.untilClosed();
		expect(client.received).toMatch(/^HTTP\/1\.1 (400|505) /);
		expect(forwarded()).toEqual([]);
	});

	it("nor may it be one without addresses", async () => {
		for (const nothing of [LOCAL, frame("", { family: 0 })]) {
			const client = (await open(frameOf("203.0.113.9"))).send(nothing + get("/"));
			expect(await statusOf(client)).toBe(400);
			await client.untilClosed();
		}
		expect(forwarded()).toEqual([]);
	});

	it("a frame as a body is a body", async () => {
		const client = await open(frameOf("203.0.113.9"));
		const body = frameOf("198.51.100.1");
		const request = post("/", body);
		client.send(request.slice(0, -body.length)).send(body);
		expect(await statusOf(client)).toBe(200);
		expect(await statusOf(client.send(request).send(""))).toBe(200);
		client.destroy();
		expect(upstream.requests.map((text) => text.endsWith(`\r\n\r\n${body}`))).toEqual([true, true]);
		expect(forwarded()).toEqual(["203.0.113.9", "203.0.113.9"]);
	});
});

it("pipelined requests are the client's", async () => {
	const client = plain(frameOf("203.0.113.9") + get("/denied").repeat(5));
	for (let request = 0; request < 5; request++) expect(await statusOf(client)).toBe(403);
	client.destroy();
	expect(seen).toEqual(Array.from({ length: 5 }, () => "203.0.113.9 1000"));
});

/** Handed to the kernel before it resolves. */
const written = (socket: Socket, latin1: string): Promise<unknown> =>
	new Promise((resolve) => socket.write(Buffer.from(latin1, "latin1"), resolve));

it("a frame may come in pieces, however it is cut", async () => {
	for (const beginning of [frameOf("203.0.113.9", 1000, tlv(4, "noop")), lineOf("203.0.113.9")]) {
		const bytes = beginning + get("/denied");
		for (let cut = 1; cut <= beginning.length; cut += 7) {
			const client = new RawClient(edge.port);
			client.socket.setNoDelay();
			await written(client.socket, bytes.slice(0, cut));
			client.send(bytes.slice(cut));
			expect(await statusOf(client)).toBe(403);
			client.destroy();
		}
	}
	expect(new Set(seen)).toEqual(new Set(["203.0.113.9 1000"]));
	const client = await secure([...frameOf("203.0.113.9")]);
	expect(await statusOf(client.send(get("/")))).toBe(200);
	client.destroy();
	expect(forwarded()).toEqual(["203.0.113.9"]);
});

const BAD: readonly (readonly [name: string, beginning: string])[] = [
	["no frame", get("/")],
	["another version", frame("\0".repeat(12), { version: 1 })],
	["another command", frame("\0".repeat(12), { command: 2 })],
	["datagrams", frame("\0".repeat(12), { family: 0x12 })],
	["a UNIX socket", frame("\0".repeat(216), { family: 0x31 })],
	["no family", frame("", { family: 0 })],
	["no addresses", frame("")],
	["incomplete addresses", frame("\0".repeat(11))],
	["IPv6 addresses of IPv4's length", frame("\0".repeat(12), { family: 0x21 })],
	["537 bytes", frameOf("203.0.113.9", 1, tlv(4, "x".repeat(506)))],
	["a TLV that is cut off", frameOf("203.0.113.9", 1, "\x04\0\x05abc")],
	["a bad line", "PROXY TCP4 203.0.113.09 127.0.0.1 1 2\r\n"],
	["a line of 108 bytes", `PROXY UNKNOWN ${"x".repeat(92)}\r\n`],
];

it("bad frames close their connections at once, and are counted and logged", async () => {
	const counter = edge.metrics.counter(REFUSED);
	const [before, lines] = [counter.value, edge.lines.length];
	for (const [name, beginning] of BAD) {
		const client = plain(beginning + get("/denied"));
		await client.untilClosed(5000);
		expect([name, client.received]).toEqual([name, ""]);
	}
	const other = plain("");
	await other.until(() => counter.value === before + BAD.length);
	other.destroy();
	expect(seen).toEqual([]);
	const logged = edge.lines.slice(lines).map(({ fields }) => fields);
	expect(logged.reduce((sum, { connections }) => sum + Number(connections), 0)).toBe(BAD.length);
	for (const { last, listener } of logged) {
		expect(last).toMatch(/^127\.0\.0\.1: \w/);
		expect(listener).toBe(`127.0.0.1 port ${edge.port}`);
	}
});

it("a storm of bad frames is one line a second", async () => {
	const counter = edge.metrics.counter(REFUSED);
	const [before, lines] = [counter.value, edge.lines.length];
	const clients = Array.from({ length: 50 }, () => plain("GET / HTTP/1.1\r\n\r\n"));
	await Promise.all(clients.map((client) => client.untilClosed()));
	await clients[0]?.until(() => counter.value === before + 50);
	expect(edge.lines.length - lines).toBeLessThan(10);
});

it("ClientHello without a frame is refused before TLS begins", async () => {
	const counter = edge.metrics.counter(REFUSED);
	const before = counter.value;
	const client = await secure("");
	await client.untilClosed();
	await client.until(() => counter.value === before + 1);
});

it("a storm of connections that end anywhere leaves every other with its own client", async () => {
	let seed = 1;
	const below = (bound: number): number => {
		seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
		return (seed >>> 8) % bound;
	};
	const one = async (index: number): Promise<void> => {
		const address = `203.0.${index >> 8}.${index & 0xff}`;
		const bytes = (below(2) === 0 ? frameOf(address) : lineOf(address)) + get(`/denied?${address}`);
		const client = below(4) === 0 ? await secure(bytes.slice(0, 40)) : new RawClient(edge.port);
		const cut = below(3) === 0 ? below(bytes.length) : bytes.length;
		client.send(bytes.slice(0, cut));
		if (cut === bytes.length && below(3) > 0) {
			await client.until(({ received, closed }) => closed || received.includes("\r\n\r\n"));
		}
		client.destroy();
	};
	const asked: string[] = [];
	edge.setPolicy({
		inbound: (exchange) => {
			asked.push(`${exchange.url.query} ${exchange.clientIp}`);
			return { kind: "deny", statusCode: 403 };
		},
	});
	for (let round = 0; round < 20; round++) {
		await Promise.all(Array.from({ length: 20 }, (_, index) => one(round * 20 + index)));
	}
	edge.setPolicy(POLICY);
	expect(asked.length).toBeGreaterThan(100);
	for (const line of asked) {
		const [query, client] = line.split(" ");
		expect(query).toBe(client);
	}
});

describe("behind a trusted proxy", () => {
	it("x-forwarded-for is believed of the peer that the frame names, or that sent LOCAL", async () => {
		const trusting = await start(["127.0.0.0/8", "10.0.0.0/8"]);
		const asks = async (beginning: string): Promise<void> => {
			const client = new RawClient(trusting.port);
			client.send(beginning + get("/", "X-Forwarded-For: 192.0.2.7"));
			expect(await statusOf(client)).toBe(200);
			client.destroy();
		};
		await asks(frameOf("10.1.1.1"));
		await asks(LOCAL);
		await asks(frameOf("203.0.113.9"));
		await trusting.close();
		expect(seen).toEqual(["192.0.2.7 0", "192.0.2.7 0", "203.0.113.9 1000"]);
		expect(forwarded()).toEqual(["192.0.2.7, 10.1.1.1", "192.0.2.7, 127.0.0.1", "203.0.113.9"]);
	});
});

describe("where the library can't be hooked", () => {
	it("says what to do instead", async () => {
		const services = { metrics: new Metrics(), log: NO_LOG };
		const make = (token: object, file?: string) =>
			new ProxyFrames(token as never, "127.0.0.1 port 1", services, file);
		const wanted = /^127\.0\.0\.1 port 1: PROXY protocol is not available .*trusted_proxies$/;
		expect(() => make({})).toThrow(wanted);
		const app = App();
		app.listen("127.0.0.1", 0, (socket) => {
			if (!socket) throw new Error("can't listen");
			expect(() => make(socket, "/nowhere/uws.node")).toThrow(wanted);
			const frames = make(socket);
			// Ours already stands before the library's.
			expect(() => make(socket)).toThrow(wanted);
			frames.close();
			us_listen_socket_close(socket);
		});
		expect.assertions(3);
		app.close();
	});
});

it("without the hook there is no listener", async () => {
	const hook = vi.spyOn(addon, "hookProxyFrames").mockReturnValue(-1);
	await expect(start([])).rejects.toThrow(/PROXY protocol is not available/);
	hook.mockRestore();
});

it("a frame that never becomes whole ends with the library's idle timeout", async () => {
	for (const client of idle) {
		await client.untilClosed(20_000);
		expect(client.received).toBe("");
	}
}, 30_000);
