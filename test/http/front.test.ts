/**
 * What the front does with connections, over raw sockets, plain and within TLS: requests wait for each other in order
 * and within bounds, the times of the configuration hold, the ends of connections can be read, and HTTP/1.0 and
 * expectations are met.
 */
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "../../src/edge/exchange.ts";
import { Front } from "../../src/http/front.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { writeCertificate } from "../certificate.ts";
import {
	configOf,
	get,
	post,
	RawClient,
	RawUpstream,
	secureClient,
	startEdge,
	type TestEdge,
} from "../edge/harness.ts";
import { listenerWith } from "../listener.ts";

const HEADER_MS = 700;
const IDLE_MS = 1200;
/** what a look at the clock may be late, and a busy machine */
const LATE_MS = 600;

const upstream = new RawUpstream();
const folder = mkdtempSync(join(tmpdir(), "weir-front-"));
let edge: TestEdge;
beforeAll(async () => {
	const urls = [await upstream.listen()];
	const tls = [await writeCertificate(folder, "front", "h.example")];
	const { timeouts } = configOf();
	edge = await startEdge({
		urls,
		listen: [listenerWith(), listenerWith({ tls })],
		config: { timeouts: { ...timeouts, requestHeaderMs: HEADER_MS, idleMs: IDLE_MS } },
	});
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
	rmSync(folder, { recursive: true });
});
const ok = upstream.onRequest;
beforeEach(() => {
	upstream.requests.length = 0;
	upstream.onRequest = ok;
});
let clients: RawClient[] = [];
afterEach(() => {
	for (const client of clients) client.destroy();
	clients = [];
	edge.setPolicy(undefined);
});

const targets = (): (string | undefined)[] => upstream.requests.map((text) => text.split(" ")[1]);

/** Resolves with the milliseconds that it took. */
async function timed(wait: Promise<unknown>): Promise<number> {
	const begin = performance.now();
	await wait;
	return performance.now() - begin;
}

it("is the same one for all listeners of a process", () => {
	expect(Front.open()).toBeDefined();
	expect(Front.open()).toBe(Front.open());
});

describe.each([
	["plain", () => new RawClient(edge.port)],
	["TLS", () => secureClient(edge.ports[1] ?? 0)],
] as const)("%s", (kind, make) => {
	const open = (): RawClient => {
		const client = make();
		clients.push(client);
		return client;
	};

	describe("pipelined requests", () => {
		it("are answered in their order, whatever their bodies and however they are cut", async () => {
			upstream.onRequest = (socket, head, body) => {
				const text = `${head.split(" ")[1]} ${body.length}`;
				const late = head.includes("/slow") ? 30 : 0;
				setTimeout(() => {
					socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
				}, late);
			};
			const all = Array.from({ length: 60 }, (_, each) => {
				if (each % 3 === 0) return get(`/slow/${each}`);
				return each % 3 === 1 ? post(`/${each}`, "x".repeat(each)) : get(`/${each}`);
			});
			const bytes = all.join("");
			const client = open();
			for (let at = 0; at < bytes.length; at += 777) client.send(bytes.slice(at, at + 777));
			const bodies: string[] = [];
			for (const _ of all) bodies.push((await client.response()).body);
			expect(bodies).toEqual(
				all.map((text, each) => `${text.split(" ")[1]} ${each % 3 === 1 ? each : 0}`),
			);
		});

		it("are answered at once where nothing has to wait, and mixed with those that do", async () => {
			edge.setPolicy({
				inbound: ({ url }) =>
					url.path.startsWith("/deny") ? { kind: "deny", statusCode: 403 } : { kind: "continue" },
			});
			const paths = ["/deny/1", "/a", "/deny/2", "/deny/3", "/b", "/deny/4"];
			const client = open().send(paths.map((path) => get(path)).join(""));
			const statuses: number[] = [];
			for (const _ of paths) statuses.push((await client.response()).status);
			expect(statuses).toEqual([403, 200, 403, 403, 200, 403]);
			expect(targets()).toEqual(["/a", "/b"]);
		});

		it("behind the last one of a connection are nobody's", async () => {
			const client = open().send(get("/1", "Connection: close") + get("/2"));
			expect((await client.response()).status).toBe(200);
			await client.untilClosed();
			expect(targets()).toEqual(["/1"]);
			expect(client.reset).toBe(false);
		});

		it("behind one that is refused are nobody's, and those before it are answered", async () => {
			const client = open().send(`${get("/1")}GET /2 HTTP/1.1\r\nHost : x\r\n\r\n${get("/3")}`);
			expect((await client.response()).status).toBe(200);
			expect((await client.response()).status).toBe(400);
			await client.untilClosed();
			expect(client.received).toBe("");
			expect(targets()).toEqual(["/1"]);
		});

		it("of a client that reads nothing wait for it, and come whole and in order when it does", async () => {
			const content = "y".repeat(60_000);
			let served = 0;
			edge.setPolicy({
				inbound: ({ url }) => {
					served++;
					return {
						kind: "respond",
						statusCode: 200,
						headers: [],
						content: `${url.path} ${content}`,
					};
				},
			});
			const count = 600;
			const client = open();
			await client.until(() => client.socket.readyState === "open");
			client.socket.pause();
			client.send(Array.from({ length: count }, (_, each) => get(`/${each}`)).join(""));
			// As many as the kernel has room for, and no more.
			let before = -1;
			await client.until(() => {
				const still = served > 0 && served === before;
				before = served;
				return still;
			});
			expect(served).toBeLessThan(count / 2);
			client.socket.resume();
			await client.until(() => served === count, 20_000);
			// By its length alone: looking into it each time it grows takes seconds.
			let length = -1;
			await client.until(({ received }) => {
				const isWhole = received.length === length;
				length = received.length;
				return isWhole;
			}, 20_000);
			const paths = [...client.received.matchAll(/\r\n\r\n\/(\d+) y{60000}(?!y)/g)].map(
				([, each]) => Number(each),
			);
			expect(paths).toEqual(Array.from({ length: count }, (_, each) => each));
		}, 30_000);
	});

	describe("times", () => {
		it.each([
			["a header that never ends", "GET / HTTP/1.1\r\nHost: h\r\n", /^HTTP\/1\.1 408 /, HEADER_MS],
			["a connection that says nothing", "", /^$/, HEADER_MS],
			["a connection after its answer", get("/"), /^HTTP\/1\.1 200 [\s\S]*\r\n\r\nok$/, IDLE_MS],
		])("%s is closed in time", async (_name, bytes, expected, limitMs) => {
			const client = open();
			await client.until(() => client.socket.readyState === "open");
			client.send(bytes);
			if (bytes === get("/")) await client.until(({ received }) => received.endsWith("ok"));
			const took = await timed(client.untilClosed());
			expect(client.received).toMatch(expected);
			expect(took).toBeGreaterThan(limitMs - 250);
			expect(took).toBeLessThan(limitMs + LATE_MS);
		});

		it("a header that drips is closed in time, since its first byte", async () => {
			const client = open();
			const timer = setInterval(() => client.send("a"), 100);
			client.send("GET / HTTP/1.1\r\nX: ");
			const took = await timed(client.untilClosed());
			clearInterval(timer);
			expect(client.received).toMatch(/^HTTP\/1\.1 408 /);
			expect(took).toBeLessThan(HEADER_MS + LATE_MS);
		});

		it("a body that stops is closed in time", async () => {
			const client = open().send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
			const took = await timed(client.untilClosed());
			expect(took).toBeGreaterThan(IDLE_MS - 300);
			expect(took).toBeLessThan(IDLE_MS + 2 * LATE_MS);
		});

		it("the rest of a body whose request was answered is waited for as long", async () => {
			edge.setPolicy({ inbound: () => ({ kind: "deny", statusCode: 403 }) });
			const client = open().send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
			expect((await client.response()).status).toBe(403);
			const took = await timed(client.untilClosed());
			expect(took).toBeLessThan(IDLE_MS + LATE_MS);
		});

		it("requests that keep coming are not counted together", async () => {
			const client = open();
			for (let each = 0; each < 8; each++) {
				expect((await client.send(get("/")).response()).status).toBe(200);
				await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 4));
			}
		});
	});

	describe("answers", () => {
		it("have their header sent before their first byte of body comes", async () => {
			upstream.onRequest = (socket) => {
				socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
			};
			const client = open().send(get("/events"));
			await client.until(({ received }) => received.includes("\r\n\r\n"));
			expect(client.received).toMatch(
				/^HTTP\/1\.1 200 OK\r\n[\s\S]*transfer-encoding: chunked\r\n\r\n$/,
			);
		});

		it("and requests are counted as bytes of their connection", async () => {
			const seen: number[][] = [];
			edge.setPolicy({
				inbound: (exchange) => {
					const { client } = exchange as Exchange;
					seen.push([client.bytesIn, client.bytesOut]);
					return { kind: "deny", statusCode: 403 };
				},
			});
			const client = open();
			const first = await client.send(get("/1")).response();
			await client.send(get("/two")).response();
			const [one = [], two = []] = seen;
			expect(one).toEqual([get("/1").length, 0]);
			expect(two[0]).toBe(get("/1").length + get("/two").length);
			expect([first.status, two[1]]).toEqual([403, 82]);
		});

		it("to OPTIONS * are about no route, and the connection goes on", async () => {
			const client = open().send(`OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n${get("/next")}`);
			const { status, body } = await client.response();
			expect([status, JSON.parse(body).error_code]).toEqual([404, "ERR_NO_ROUTE"]);
			expect((await client.response()).status).toBe(200);
			expect(targets()).toEqual(["/next"]);
		});

		it("are the client's alone that asked: one that leaves in the middle leaves nothing to the next", async () => {
			upstream.onRequest = (socket, head) => {
				if (head.includes("/left")) return;
				socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
			};
			for (let each = 0; each < 20; each++) {
				const leaving = open().send(get("/left"));
				await leaving.until(() => targets().length === 2 * each + 1);
				leaving.destroy();
				expect((await open().send(get("/stays")).response()).body).toBe("ok");
			}
		});
	});

	describe("the end of a connection", () => {
		it("can be read by a client that is still sending", async () => {
			const client = open().send(
				`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n${"z".repeat(300_000)}`,
			);
			const { status, header } = await client.response();
			expect([status, header("connection")]).toEqual([400, "close"]);
			await client.untilClosed();
			expect(client.reset).toBe(false);
		});

		it("comes in the end for one that goes on and on", async () => {
			const client = open().send("GE(T / HTTP/1.1\r\n");
			const timer = setInterval(() => client.send("z".repeat(1000)), 20);
			const took = await timed(client.untilClosed());
			clearInterval(timer);
			expect(took).toBeLessThan(LIMITS.lingerMs + LATE_MS);
			expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
		});
	});

	describe("HTTP/1.0", () => {
		const old = (...lines: string[]): string =>
			["GET /old HTTP/1.0", "Host: h", ...lines, "", ""].join("\r\n");

		it("gets one answer, and its connection ends", async () => {
			const client = await open()
				.send(old() + get("/2"))
				.untilClosed();
			expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
			expect(client.reset).toBe(false);
		});

		it("keeps its connection if it asks, and is told so", async () => {
			const client = open();
			for (let each = 0; each < 3; each++) {
				const { status, header } = await client.send(old("Connection: keep-alive")).response();
				expect([status, header("connection")]).toEqual([200, "keep-alive"]);
			}
		});

		it("gets no chunks: a body without a length ends with its connection", async () => {
			const pieces = Array.from({ length: 40 }, (_, each) => `${each} `.repeat(5000));
			upstream.onRequest = (socket) => {
				socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx: 1\r\n\r\n");
				for (const piece of pieces) socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
				socket.write("0\r\n\r\n");
			};
			const client = await open().send(old("Connection: keep-alive")).untilClosed();
			const [head = "", ...rest] = client.received.split("\r\n\r\n");
			expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
			expect(head).toMatch(/^x: 1\r$/m);
			expect(head).toMatch(/^connection: close\r?$/m);
			expect(head).not.toMatch(/transfer-encoding|content-length/i);
			expect(rest.join("\r\n\r\n") === pieces.join("")).toBe(true);
			expect(client.reset).toBe(false);
		});
	});

	describe("100 Continue", () => {
		const upload = (path: string): string =>
			`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\n`;

		it("is sent when the rules have let the request pass", async () => {
			const client = open().send(upload("/"));
			await client.until(({ received }) => received === "HTTP/1.1 100 Continue\r\n\r\n");
			expect((await client.send("hello").response()).status).toBe(200);
			expect(upstream.requests[0]).toMatch(/\r\n\r\nhello$/);
			expect(upstream.requests[0]).toMatch(/^expect: 100-continue\r$/m);
		});

		it("is not sent to who is denied, nor where the body is there", async () => {
			edge.setPolicy({
				inbound: ({ url }) =>
					url.path === "/no" ? { kind: "deny", statusCode: 403 } : { kind: "continue" },
			});
			const denied = await open()
				.send(upload("/no"))
				.until(({ received }) => received !== "");
			expect(denied.received).toMatch(/^HTTP\/1\.1 403 /);
			const whole = open().send(`${upload("/")}hello`);
			await whole.until(({ received }) => received.includes("200 OK"));
		});
	});

	it("an upload is held back while its backend takes nothing, and goes on", async () => {
		let stalled: Socket | undefined;
		// Connections that are kept would be read as ever.
		for (const socket of upstream.sockets) socket.destroy();
		upstream.onConnection = (socket) => {
			socket.pause();
			stalled = socket;
		};
		try {
			const size = 30_000_000;
			const client = open().send(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${size}\r\n\r\n`);
			const before = process.memoryUsage().rss;
			for (let sent = 0; sent < size; sent += 1_000_000) client.send("u".repeat(1_000_000));
			await client.until(() => stalled !== undefined);
			let last = -1;
			await client.until(() => {
				const still = client.socket.writableLength === last;
				last = client.socket.writableLength;
				return still;
			});
			expect(client.socket.writableLength).toBeGreaterThan(size / 2);
			expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(120);
			let taken = 0;
			stalled?.on("data", (bytes: Buffer) => {
				taken += bytes.length;
				if (taken > size) stalled?.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
			});
			stalled?.resume();
			expect((await client.response()).status).toBe(200);
		} finally {
			upstream.onConnection = undefined;
			stalled?.destroy();
		}
	}, 30_000);

	it("a client that leaves while its requests wait leaves nothing behind", async () => {
		const held: Socket[] = [];
		upstream.onRequest = (socket) => {
			held.push(socket);
		};
		const client = open().send(get("/1") + get("/2") + get("/3"));
		await client.until(() => held.length === 1);
		client.socket.destroy();
		upstream.onRequest = ok;
		for (const socket of held) socket.destroy();
		const next = open().send(get("/4"));
		expect((await next.response()).status).toBe(200);
		expect(targets().filter((target) => target === "/2" || target === "/3")).toEqual([]);
	});

	it("tells when the connection began, from which port, and that it is the same", async () => {
		const seen: unknown[] = [];
		edge.setPolicy({
			inbound: (exchange) => {
				seen.push([exchange.clientPort, exchange.connectionStartMs]);
				return { kind: "continue" };
			},
		});
		const begin = Date.now();
		const client = open();
		for (let each = 0; each < 2; each++) await client.send(get("/")).response();
		const port = client.socket.localPort;
		expect(seen).toEqual([
			[port, expect.any(Number)],
			[port, (seen[0] as number[])[1]],
		]);
		expect(Math.abs(((seen[0] as number[])[1] as number) - begin)).toBeLessThan(2000);
		expect(kind === "TLS").toBe(edge.ports[1] === client.socket.remotePort);
	});
});
