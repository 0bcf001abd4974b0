/**
 * Tunnels between real sockets: a client of a listener with a front, and a backend that the native client reaches or
 * JS carries. What came early comes first, either side may end alone, slow readers lose nothing, and each tunnel is
 * told of once.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClientResponse } from "../../src/http/client-response.ts";
import { Front } from "../../src/http/front.ts";
import type {
	BackendPort,
	PortTunnel,
	Tunnel,
	TunnelEnd,
	TunnelStart,
} from "../../src/http/tunnel.ts";
import {
	App,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../../src/http/uws.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import type { UpgradedBackend, Upstream } from "../../src/upstream/upstream.ts";
import { createNativeUpstream } from "../upstream/native-upstream-alone.ts";

const HEAD = "101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade";
const AGREED = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";
const REQUEST = "GET / HTTP/1.1\r\nhost: h\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";

let backend: Server;
let upstream: Upstream;
let listening: us_listen_socket;
let port = 0;
/** what becomes of a request, in each test its own */
let answer: (response: ClientResponse) => void = () => {};
const backends: Socket[] = [];
let ends: TunnelEnd[] = [];
let opened: (Tunnel | undefined)[] = [];
/** what the backend says behind its 101 */
let early = "";

const start = (idleMs = 0, isWebSocket = false): TunnelStart => ({
	head: HEAD,
	idleMs,
	isWebSocket,
	onEnd: (end) => ends.push(end),
});

const ask = (agreed: (backend: UpgradedBackend) => void): void => {
	const fail = (): void => {
		throw new Error("the backend has not agreed");
	};
	upstream.send(
		{ method: "GET", target: "/", lines: "host: b\r\n", more: "", body: undefined, upgrade: "x" },
		{
			onResponse: fail,
			onData: () => true,
			onEnd: fail,
			onWhole: fail,
			onError: fail,
			onUpgrade: (_head, backend) => agreed(backend),
		},
	);
};

/** Asks the backend, and joins it to the client. */
const tunnelTo = (given: TunnelStart) => (response: ClientResponse) => {
	response.onAborted(() => {});
	ask(({ call }) => opened.push(response.openTunnel?.(given, call ?? -1)));
};

beforeAll(async () => {
	backend = createServer({ allowHalfOpen: true }, (socket) => {
		backends.push(socket);
		socket.on("error", () => {});
		socket.once("data", (data: Buffer) => {
			const text = data.toString("latin1");
			socket.write(AGREED + early);
			socket.pause();
			const rest = text.slice(text.indexOf("\r\n\r\n") + 4);
			if (rest !== "") socket.unshift(Buffer.from(rest, "latin1"));
		});
	});
	await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
	upstream = createNativeUpstream({ urls: [url] } as never, {
		connectTimeoutMs: 5000,
		responseTimeoutMs: 5000,
		idleTimeoutMs: 5000,
		connections: 100,
		queue: 100,
		onAttemptFailed: () => {},
		onRetry: () => {},
	});
	const front = Front.open();
	if (front === undefined) throw new Error("there is no front");
	const settings = { requestHeaderMs: 10_000, idleMs: 10_000, requestHeaderBytes: 16_384 };
	App().listen("127.0.0.1", 0, (token) => {
		listening = token as us_listen_socket;
		expect(front.hook(listening, false, settings, (response) => answer(response))).toBe(true);
		port = us_socket_local_port(listening);
	});
});
afterAll(async () => {
	us_listen_socket_close(listening);
	for (const socket of backends) socket.destroy();
	await upstream.close();
	backend.close();
});

let clients: Socket[] = [];
beforeEach(() => {
	ends = [];
	opened = [];
	early = "";
	backends.length = 0;
});
afterEach(async () => {
	for (const tunnel of opened) tunnel?.close();
	for (const client of clients) client.destroy();
	for (const socket of backends) socket.destroy();
	clients = [];
});

/** Polls with a deadline. */
async function until(holds: () => boolean, what: string): Promise<void> {
	const deadline = Date.now() + 10_000;
	while (!holds()) {
		if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

/** An error that comes before it is none of this one's. */
const closeOf = (socket: Socket): Promise<void> =>
	new Promise((resolve) => {
		socket.on("close", () => resolve());
	});

/** A client that has a tunnel, with what it was told behind the header. */
async function open(
	behind = "",
): Promise<{ socket: Socket; text: () => string; hasEnded: () => boolean }> {
	const before = opened.length;
	const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
	clients.push(socket);
	let received = "";
	let ended = false;
	socket.on("error", () => {});
	socket.on("data", (data: Buffer) => {
		received += data.toString("latin1");
	});
	socket.on("end", () => {
		ended = true;
	});
	socket.write(Buffer.from(REQUEST + behind, "latin1"));
	await until(() => opened.length > before && received.includes("\r\n\r\n"), "the tunnel");
	const head = received.slice(0, received.indexOf("\r\n\r\n") + 4);
	expect(head).toMatch(
		/^HTTP\/1\.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\ndate: [^\r]+\r\n\r\n$/,
	);
	return { socket, text: () => received.slice(head.length), hasEnded: () => ended };
}

const read = (socket: Socket): (() => string) => {
	let received = "";
	socket.on("data", (data: Buffer) => {
		received += data.toString("latin1");
	});
	socket.resume();
	return () => received;
};

describe("to a backend of the native client", () => {
	it("bring what came early first, then bytes both ways, and count them", async () => {
		answer = tunnelTo(start());
		early = "early out,";
		const client = await open("GET /early HTTP/1.1\r\n");
		const received = read(backends[0] as Socket);
		client.socket.write("in");
		backends[0]?.write("out");
		await until(() => received() === "GET /early HTTP/1.1\r\nin", "the client's bytes");
		await until(() => client.text() === "early out,out", "the backend's");
		expect(opened[0]?.bytesIn).toBe(received().length);
		expect(opened[0]?.bytesOut).toBe(client.text().length);
		opened[0]?.close();
		expect(ends).toEqual([{ by: "error", bytesIn: 23, bytesOut: 13 }]);
		expect(opened[0]?.bytesIn).toBe(23);
		opened[0]?.close();
		opened[0]?.drain();
		await until(() => client.hasEnded(), "the client's end");
		expect(ends).toHaveLength(1);
	});

	it.each(["client", "backend"] as const)(
		"may be ended by the %s, and go on the other way",
		async (by) => {
			answer = tunnelTo(start());
			const client = await open();
			const server = backends[0] as Socket;
			const received = read(server);
			let serverEnded = false;
			server.on("end", () => {
				serverEnded = true;
			});
			if (by === "client") {
				client.socket.end("last");
				await until(() => serverEnded, "the end at the backend");
				expect(received()).toBe("last");
				server.end("answer");
				await until(() => client.hasEnded(), "the end at the client");
				expect(client.text()).toBe("answer");
			} else {
				server.end("last");
				await until(() => client.hasEnded(), "the end at the client");
				expect(client.text()).toBe("last");
				client.socket.end("answer");
				await until(() => serverEnded, "the end at the backend");
				expect(received()).toBe("answer");
			}
			await until(() => ends.length > 0, "the end");
			expect(ends).toEqual([
				by === "client" ? { by, bytesIn: 4, bytesOut: 6 } : { by, bytesIn: 6, bytesOut: 4 },
			]);
		},
	);

	it.each(["client", "backend"] as const)("end at once where the %s breaks", async (by) => {
		answer = tunnelTo(start());
		const client = await open();
		const server = backends[0] as Socket;
		server.resume();
		const other = closeOf(by === "client" ? server : client.socket);
		(by === "client" ? client.socket : server).resetAndDestroy();
		await other;
		await until(() => ends.length > 0, "the end");
		expect(ends).toEqual([{ by, bytesIn: 0, bytesOut: 0 }]);
	});

	it("hold little for whoever does not read, and lose nothing", async () => {
		answer = tunnelTo(start());
		const client = await open();
		const server = backends[0] as Socket;
		const piece = Buffer.alloc(1_048_576, "0123456789abcdef");
		for (let each = 0; each < 24; each += 1) client.socket.write(piece);
		// Until nothing moves: what the tunnel has taken is with the kernel, but for one read.
		let before = -1;
		await until(() => {
			const now = opened[0]?.bytesIn ?? 0;
			const isQuiet = now === before && now > 0;
			before = now;
			return isQuiet;
		}, "the backend to be full");
		client.socket.pause();
		let count = 0;
		server.on("data", (data: Buffer) => {
			count += data.length;
			server.write(data);
		});
		server.resume();
		await until(() => (opened[0]?.bytesOut ?? 0) > 0, "the way back");
		client.socket.resume();
		await until(() => client.text().length === 24 * piece.length, "all of it");
		expect(count).toBe(24 * piece.length);
		expect(client.text()).toBe(piece.toString("latin1").repeat(24));
	}, 30_000);

	it("end when nothing has come for long enough", async () => {
		answer = tunnelTo(start(300));
		const client = await open();
		const began = performance.now();
		await until(() => ends.length > 0, "the end");
		expect(performance.now() - began).toBeGreaterThan(250);
		expect(ends).toEqual([{ by: "idle", bytesIn: 0, bytesOut: 0 }]);
		await until(() => client.hasEnded(), "the client's end");
	});

	it("say goodbye between two frames", async () => {
		answer = tunnelTo(start(0, true));
		const client = await open("\x81\x82keysab");
		const received = read(backends[0] as Socket);
		backends[0]?.write(Buffer.from("\x81\x05hel", "latin1"));
		await until(() => client.text().length === 5, "half a frame");
		opened[0]?.drain();
		await until(() => received().endsWith("\x88\x82WEIRT\xac"), "goodbye to the backend");
		expect(ends).toEqual([]);
		backends[0]?.write("lo");
		await until(() => client.hasEnded(), "the end at the client");
		expect(client.text()).toBe("\x81\x05hello\x88\x02\x03\xe9");
		client.socket.end();
		await until(() => ends.length > 0, "the end");
		expect(ends[0]?.by).toBe("drain");
	});

	it("outlive their backend's upstream", async () => {
		answer = tunnelTo(start());
		const before = upstream;
		upstream = createNativeUpstream(
			{ urls: [`http://127.0.0.1:${(backend.address() as AddressInfo).port}`] } as never,
			{
				...{ connectTimeoutMs: 5000, responseTimeoutMs: 5000, idleTimeoutMs: 5000 },
				...{ connections: 1, queue: 100, onAttemptFailed: () => {}, onRetry: () => {} },
			},
		);
		// One connection at most, and a tunnel is none of its pool.
		const [one, other] = [await open(), await open()];
		await upstream.close();
		upstream = before;
		for (const [at, client] of [one, other].entries()) {
			backends[at]?.write(`still ${at}`);
			await until(() => client.text() === `still ${at}`, "a byte behind the end of the backend");
		}
	});
});

it("there is none where the backend, or the client, has gone", async () => {
	let agreed: UpgradedBackend | undefined;
	let pending: ClientResponse | undefined;
	answer = (response) => {
		expect(response.openTunnel?.(start(), 2 ** 40)).toBeUndefined();
		response.onAborted(() => {
			pending = response;
		});
		ask((backend) => {
			agreed = backend;
		});
	};
	const socket = connect(port, "127.0.0.1");
	clients.push(socket);
	socket.write(REQUEST);
	await until(() => agreed !== undefined, "the 101");
	socket.destroy();
	await until(() => pending !== undefined, "the client's end");
	expect(pending?.openTunnel?.(start(), agreed?.call ?? -1)).toBeUndefined();
	const closed = closeOf(backends[0] as Socket);
	backends[0]?.resume().on("end", () => backends[0]?.end());
	agreed?.abort();
	await closed;
	expect(ends).toEqual([]);
});

describe("to a backend that JS carries", () => {
	const heard: string[] = [];
	let takes = true;
	const carried: BackendPort = {
		onData(chunk) {
			heard.push(Buffer.from(chunk).toString("latin1"));
			return takes;
		},
		onClientEnd: () => heard.push("end"),
		onRoom: () => heard.push("room"),
		onClose: () => heard.push("close"),
	};
	const portTunnel = (): PortTunnel => opened.at(-1) as PortTunnel;
	beforeEach(() => {
		heard.length = 0;
		takes = true;
		answer = (response) => {
			opened.push(response.openPortTunnel?.(start(), carried));
		};
	});

	it("bring what came early first, and both ends", async () => {
		const client = await open("early");
		expect(portTunnel().write(Buffer.from("out"))).toBe(true);
		client.socket.end("in");
		await until(() => heard.includes("end"), "the client's end");
		expect(heard.join("")).toBe("earlyinend");
		portTunnel().write(Buffer.from("put"));
		portTunnel().end();
		await until(() => client.hasEnded(), "the end at the client");
		expect(client.text()).toBe("output");
		expect(heard.at(-1)).toBe("close");
		expect(ends).toEqual([{ by: "client", bytesIn: 7, bytesOut: 6 }]);
		expect(portTunnel().write(Buffer.from("late"))).toBe(true);
	});

	it("hold back either side", async () => {
		takes = false;
		const client = await open("first");
		expect(heard).toEqual(["first"]);
		const piece = Buffer.alloc(LIMITS.tunnelClientBytes, "x");
		for (let each = 0; each < 64; each += 1) client.socket.write(piece);
		await new Promise((resolve) => setImmediate(resolve));
		expect(heard).toEqual(["first"]);
		takes = true;
		portTunnel().resume();
		await until(
			() => heard.reduce((sum, each) => sum + each.length, 0) === 5 + 64 * piece.length,
			"all of it",
		);
		client.socket.pause();
		let written = 0;
		while (portTunnel().write(piece)) written += piece.length;
		expect(heard.at(-1)).not.toBe("room");
		client.socket.resume();
		await until(() => heard.at(-1) === "room", "room");
		expect(client.text().length).toBeGreaterThanOrEqual(written);
	}, 30_000);

	it("end where it breaks", async () => {
		const client = await open();
		const closed = closeOf(client.socket);
		portTunnel().abort();
		expect(heard).toEqual(["close"]);
		expect(ends).toEqual([{ by: "backend", bytesIn: 0, bytesOut: 0 }]);
		await closed;
	});
});
