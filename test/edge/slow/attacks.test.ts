/** Slow clients over a whole edge: who is waited for, who is ended and how, who is served meanwhile. */
import { afterEach, describe, expect, it } from "vitest";
import type { Config } from "../../../src/config.ts";
import type { Direction, SlowReason } from "../../../src/edge/slow/slow-clients.ts";
import { series } from "../../../src/telemetry/metrics.ts";
import { createUndiciUpstream } from "../../../src/upstream/undici/undici-upstream.ts";
import {
	get,
	post,
	RawClient,
	RawUpstream,
	startEdge,
	type TestEdge,
	type TestEdgeOptions,
} from "../harness.ts";

const MIB = 1_048_576;
const FEW = "POST /drip HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n";

const upstreams: RawUpstream[] = [];
const edges: TestEdge[] = [];
const clients: RawClient[] = [];
afterEach(async () => {
	for (const client of clients.splice(0)) client.destroy();
	for (const edge of edges.splice(0)) await edge.close();
	for (const upstream of upstreams.splice(0)) await upstream.close();
});

const start = async (
	options: Omit<TestEdgeOptions, "urls"> & { readonly slow?: Partial<Config["slowClients"]> } = {},
) => {
	const upstream = new RawUpstream();
	const { slow, ...more } = options;
	const slowClients = {
		graceMs: 60_000,
		minUploadBytesPerSecond: 500,
		minDownloadBytesPerSecond: 500,
		perAddress: 0,
		...slow,
	};
	const edge = await startEdge({
		...more,
		urls: [await upstream.listen()],
		config: { slowClients, ...more.config },
	});
	upstreams.push(upstream);
	edges.push(edge);
	const ended = (direction: Direction, reason: SlowReason): number =>
		edge.metrics.snapshot()[series("weir_slow_clients_total", { direction, reason })] ?? 0;
	return { upstream, edge, ended };
};

const client = (edge: TestEdge, bytes = ""): RawClient => {
	const made = new RawClient(edge.port).send(bytes);
	clients.push(made);
	return made;
};
const inFlight = (edge: TestEdge) => edge.metrics.snapshot().weir_requests_in_flight;
const poll = { timeout: 10_000 };

const WAYS = [
	["native", undefined],
	["undici", createUndiciUpstream],
] as const;

/** What holds for both ways to a backend, the one of plain HTTP and the one of TLS. */
describe.each(WAYS)("over the %s way", (_name, upstreamFactory) => {
	const startWay = (options: Parameters<typeof start>[0] = {}) =>
		start(upstreamFactory === undefined ? options : { ...options, upstreamFactory });

	it("an upload that drips takes no place while half of them are taken, and is sent when it is whole", async () => {
		const { upstream, edge } = await startWay({ backend: { max_connections: 2 } });
		let release = (): void => {};
		upstream.onRequest = (socket, head) => {
			const answer = () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
			if (head.startsWith("GET /held")) release = answer;
			else answer();
		};
		client(edge, get("/held"));
		await expect.poll(() => upstream.requests.length, poll).toBe(1);
		const drips = Array.from({ length: 4 }, () => client(edge, `${FEW}a`));
		await expect.poll(() => inFlight(edge), poll).toBe(5);
		// Each time to be let through, and there is always a place for those that are whole.
		const end = performance.now() + 600;
		while (performance.now() < end) {
			expect((await client(edge, post("/other", "whole")).response()).status).toBe(200);
		}
		expect(upstream.requests.filter((text) => text.startsWith("POST /drip"))).toEqual([]);
		for (const drip of drips) drip.send("bcd");
		for (const drip of drips) expect((await drip.response()).status).toBe(200);
		release();
	});

	it("a reader that reads nothing is ended for the sake of those who wait for its place", async () => {
		const { upstream, edge, ended } = await startWay({ backend: { max_connections: 2 } });
		upstream.onRequest = (socket, head) => {
			if (head.startsWith("GET /big")) {
				socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${32 * MIB}\r\n\r\n`);
				socket.write(Buffer.alloc(32 * MIB, "x"));
			} else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
		};
		for (let reader = 0; reader < 2; reader++) client(edge, get("/big")).socket.pause();
		await expect.poll(() => upstream.requests.length, poll).toBe(2);
		expect((await client(edge, get("/small")).response()).body).toBe("ok");
		expect(ended("download", "place")).toBe(1);
	});
});

describe("an upload that drips", () => {
	it("is let through with its first byte after a moment while there is room, and may be answered", async () => {
		const { upstream, edge } = await start();
		let text = "";
		upstream.onConnection = (socket) => {
			socket.on("data", (data: Buffer) => {
				text += data.toString("latin1");
				if (text.endsWith("a")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
			});
		};
		const answer = await client(edge, `${FEW}a`).response();
		expect(answer.body).toBe("ok");
	});

	it("is told 408 below the least rate, and the connection is closed, before it is sent and after", async () => {
		for (const connections of [1, 100]) {
			const { upstream, edge, ended } = await start({
				slow: { graceMs: 100 },
				backend: { max_connections: connections },
			});
			upstream.onConnection = (socket) => void socket.on("data", () => {});
			if (connections === 1) {
				client(edge, get("/held"));
				await expect.poll(() => upstream.sockets.size, poll).toBe(1);
			}
			const slow = client(edge, `${FEW}a`);
			const answer = await slow.response();
			expect([answer.status, answer.header("connection")]).toEqual([408, "close"]);
			expect(JSON.parse(answer.body)).toMatchObject({ error_code: "ERR_REQUEST_TIMEOUT" });
			await slow.untilClosed();
			expect(ended("upload", "rate")).toBe(1);
			await expect.poll(() => inFlight(edge), poll).toBe(connections === 1 ? 1 : 0);
			await expect.poll(() => upstream.sockets.size, poll).toBe(connections === 1 ? 1 : 0);
		}
	});

	it("is ended beyond so many of one address, without harm to quick ones of the same", async () => {
		const { edge, ended } = await start({ slow: { perAddress: 3 } });
		const slow = Array.from({ length: 8 }, () => client(edge, `${FEW}a`));
		await expect.poll(() => ended("upload", "address"), poll).toBe(5);
		for (let other = 0; other < 20; other++) {
			expect((await client(edge, post("/other", "whole")).response()).status).toBe(200);
		}
		await expect.poll(() => slow.filter(({ closed }) => closed).length, poll).toBe(5);
	});
});

describe("a reader that reads nothing", () => {
	it("is reset below the least rate", async () => {
		const { upstream, edge, ended } = await start({ slow: { graceMs: 100 } });
		upstream.onRequest = (socket) => {
			socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${32 * MIB}\r\n\r\n`);
			socket.write(Buffer.alloc(32 * MIB, "x"));
		};
		client(edge, get("/")).socket.pause();
		await expect.poll(() => ended("download", "rate"), poll).toBe(1);
		await expect.poll(() => upstream.sockets.size, poll).toBe(0);
		expect(inFlight(edge)).toBe(0);
	});
});

describe("never slow is", () => {
	/** Long enough for anybody who counts as slow to be ended: one that is slow was. */
	const untilSlowOnesAreEnded = async (edge: TestEdge): Promise<void> => {
		for (let each = 0; each < 2; each++) {
			expect((await client(edge, `${FEW}a`).response()).status).toBe(408);
		}
	};

	it("the client of a backend that takes its time, of an event stream, of one that doesn't read", async () => {
		const { upstream, edge } = await start({ slow: { graceMs: 100, perAddress: 1 } });
		const events: (() => void)[] = [];
		upstream.onConnection = (socket) => {
			socket.once("data", (data: Buffer) => {
				const head = data.toString("latin1");
				if (head.startsWith("POST /deaf")) {
					socket.pause();
					events.push(() => socket.resume());
					socket.on("data", (more: Buffer) => {
						if (more.includes("e")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
					});
				} else if (head.startsWith("GET /events")) {
					socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nm1\r\n");
					events.push(() => socket.write("2\r\nm2\r\n0\r\n\r\n"));
				} else if (head.startsWith("POST /late")) {
					events.push(() => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"));
				}
			});
		};
		const stream = client(edge, get("/events"));
		await stream.until(({ received }) => received.includes("m1"));
		const late = client(edge, post("/late", "whole"));
		const deaf = client(
			edge,
			`POST /deaf HTTP/1.1\r\nHost: h\r\nContent-Length: ${16 * MIB}\r\n\r\n`,
		);
		deaf.socket.write(Buffer.concat([Buffer.alloc(16 * MIB - 1, "x"), Buffer.from("e")]));
		await expect.poll(() => events.length, poll).toBe(3);
		await untilSlowOnesAreEnded(edge);
		for (const event of events) event();
		await stream.until(({ received }) => received.includes("m2\r\n0\r\n\r\n"));
		expect((await late.response()).body).toBe("late");
		expect((await deaf.response()).status).toBe(200);
	});
});

describe("bodies that a backend doesn't take", () => {
	/** A backend with one connection, which is taken. */
	const busy = async (bodyMemoryBytes: number) => {
		const limits = {
			requestHeaderBytes: 65_536,
			policyBytes: MIB,
			connections: 0,
			connectionsPerAddress: 0,
			rules: 500,
			bodyMemoryBytes,
		};
		const { upstream, edge } = await start({
			config: { limits },
			backend: { max_connections: 1, connect_timeout_ms: 60_000 },
		});
		upstream.onConnection = (socket) => void socket.on("data", () => {});
		client(edge, get("/held"));
		await expect.poll(() => upstream.sockets.size, poll).toBe(1);
		return edge;
	};
	const upload = (edge: TestEdge, length: number, bytes: number): RawClient => {
		const made = client(edge, `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n`);
		made.socket.write(Buffer.alloc(bytes, "x"));
		return made;
	};

	it("are refused beyond their part of the memory, to come again", async () => {
		const edge = await busy(MIB);
		const refused: RawClient[] = [];
		for (let number = 1; refused.length === 0 && number < 50; number++) {
			const made = upload(edge, 100_000, 90_000);
			await expect
				.poll(() => inFlight(edge) === number + 1 || made.received !== "", poll)
				.toBe(true);
			if (made.received !== "") refused.push(made);
		}
		const answer = await refused[0]?.response();
		expect([answer?.status, answer?.header("retry-after")]).toEqual([503, "1"]);
		expect(JSON.parse(answer?.body ?? "")).toMatchObject({ error_code: "ERR_UPSTREAM_BUSY" });
		expect(inFlight(edge)).toBeLessThan(16);
	});

	it("of a client that has gone are let go, though its socket is paused", async () => {
		const edge = await busy(64 * MIB);
		const gone = upload(edge, MIB, 400_000);
		const there = upload(edge, MIB, 400_000);
		await expect.poll(() => gone.socket.writableLength, poll).toBe(0);
		await expect.poll(() => inFlight(edge), poll).toBe(3);
		gone.socket.end();
		await expect.poll(() => inFlight(edge), poll).toBe(2);
		expect(there.closed).toBe(false);
	});
});
