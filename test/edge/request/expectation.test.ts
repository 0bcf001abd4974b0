/** Clients that wait to be asked for their bodies (contract 6): who asks them, and when, over raw sockets. */
import type { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { Expectation } from "../../../src/edge/request/expectation.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";
import { RawClient, RawUpstream, startEdge, type TestEdge } from "../harness.ts";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const upload = (path: string, length = "Content-Length: 5"): string =>
	`POST ${path} HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n${length}\r\n\r\n`;

describe("a backend that speaks HTTP", () => {
	const upstream = new RawUpstream();
	let edge: TestEdge;
	let clients: RawClient[] = [];
	/** what it does when it has a head */
	let onHead: (socket: Socket, head: string) => void;
	/** what it has read */
	let read = "";

	let url = "";
	beforeAll(async () => {
		url = await upstream.listen();
		upstream.onConnection = (socket) => {
			let isHead = true;
			socket.on("data", (data: Buffer) => {
				read += data.toString("latin1");
				if (isHead && read.includes("\r\n\r\n")) {
					isHead = false;
					onHead(socket, read);
				}
				if (!read.endsWith("hello")) return;
				socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
				isHead = true;
			});
		};
	});
	// Each has backends that nothing is known of.
	beforeEach(async () => {
		read = "";
		edge = await startEdge({ urls: [url] });
	});
	afterEach(async () => {
		for (const client of clients) client.destroy();
		clients = [];
		await edge.close();
	});
	afterAll(() => upstream.close());
	const open = (): RawClient => {
		const client = new RawClient(edge.port);
		clients.push(client);
		return client;
	};

	it("is asked, and the client waits for its word", async () => {
		const asked: Socket[] = [];
		onHead = (socket) => void asked.push(socket);
		for (const path of ["/one", "/two"]) {
			read = "";
			const client = open().send(upload(path));
			await expect.poll(() => read).toContain(path);
			expect(read).toMatch(/^expect: 100-continue\r$/m);
			expect(client.received).toBe("");
			asked.at(-1)?.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
			asked.at(-1)?.write(`${CONTINUE}${CONTINUE}`);
			await client.until(({ received }) => received !== "");
			expect(client.received).toBe(CONTINUE);
			expect((await client.send("hello").response()).status).toBe(200);
			expect(read.match(/hello/g)).toHaveLength(1);
		}
	});

	it("refuses by the header alone: it is sent nothing of the body, and the connection ends", async () => {
		onHead = (socket) =>
			socket.write("HTTP/1.1 413 No\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno");
		for (const length of ["Content-Length: 5", "Transfer-Encoding: chunked"]) {
			read = "";
			const client = open().send(upload("/", length));
			await client.until(({ received }) => received.endsWith("no"));
			expect(client.received).toMatch(/^HTTP\/1\.1 413 /);
			expect(client.received).toMatch(/^connection: close\r$/m);
			// Nobody could tell its body from its next request.
			client.send("hello GET /next HTTP/1.1\r\nHost: h\r\n\r\n");
			await client.untilClosed();
			expect(client.received).not.toContain("100 Continue");
			expect(client.received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
			expect(read).not.toContain("hello");
			expect(read).not.toContain("/next");
		}
	});

	it("is not waited for by who sends its body at once", async () => {
		onHead = () => {};
		const client = open().send(`${upload("/")}hello`);
		await client.until(({ received }) => received.endsWith("ok"));
		expect(client.received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
	});

	it("says nothing: clients are told after a while, and behind some of them at once", async () => {
		onHead = () => {};
		const lines: number[] = [];
		for (let count = 0; count <= LIMITS.expectationFailures; count += 1) {
			read = "";
			const client = open().send(upload("/"));
			await client.until(({ received }) => received === CONTINUE);
			// Who is not asked has no request before there is something of the body.
			lines.push(read.match(/^expect: /gm)?.length ?? 0);
			expect(read === "").toBe(count === LIMITS.expectationFailures);
			expect((await client.send("hello").response()).status).toBe(200);
			expect(client.received).not.toMatch(/^connection:/m);
		}
		expect(lines).toEqual([...Array(LIMITS.expectationFailures).fill(1), 0]);
		expect(read).not.toMatch(/^expect:/m);
	});

	it("answers without having asked: its connection carries no other request", async () => {
		const sockets = new Set<Socket>();
		onHead = (socket, head) => {
			sockets.add(socket);
			// It takes what follows for the next request.
			socket.write(
				`HTTP/1.1 ${head.startsWith("GET") ? 200 : 401} x\r\ncontent-length: 2\r\n\r\nno`,
			);
		};
		const hasty = open().send(upload("/", "Content-Length: 7").concat("smuggle"));
		await hasty.until(({ received }) => received.endsWith("no"));
		read = "";
		const other = open().send("GET /other HTTP/1.1\r\nHost: h\r\n\r\n");
		expect((await other.response()).status).toBe(200);
		expect(sockets.size).toBe(2);
	});

	it("asks, and breaks: one 502, and the connection of the client goes on", async () => {
		onHead = (socket) => socket.end(CONTINUE);
		const client = open().send(upload("/"));
		await client.until(({ received }) => received.includes(" 502 "));
		expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 502"]);
		onHead = (socket) => socket.end("HTTP/1.1 204 x\r\n\r\n");
		read = "";
		client.send("12345GET /next HTTP/1.1\r\nHost: h\r\n\r\n");
		await client.until(({ received }) => received.includes(" 204 "));
	});

	it("breaks before it asks: the next address is asked, and the client told once", async () => {
		const second = new RawUpstream();
		const heads: string[] = [];
		second.onConnection = (socket) => {
			socket.on("data", (data: Buffer) => {
				heads.push(data.toString("latin1"));
				const isHead = heads.length === 1;
				socket.write(isHead ? CONTINUE : "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
			});
		};
		onHead = (socket) => socket.destroy();
		const urls = [await second.listen()];
		const first = new RawUpstream();
		first.onConnection = (socket) => socket.once("data", () => socket.destroy());
		urls.push(await first.listen());
		const both = await startEdge({ urls });
		for (let turn = 0; turn < 2; turn += 1) {
			heads.length = 0;
			const client = new RawClient(both.port).send(upload("/").replace("POST", "PUT"));
			await client.until(({ received }) => received === CONTINUE);
			expect((await client.send("hello").response()).status).toBe(200);
			expect(heads[0]).toMatch(/^expect: 100-continue\r$/m);
			expect(heads.slice(1)).toEqual(["hello"]);
			client.destroy();
		}
		await Promise.all([both.close(), first.close(), second.close()]);
	});

	it("is not asked for a client of HTTP/1.0, which would not understand", async () => {
		onHead = (socket) => socket.end("HTTP/1.1 204 x\r\n\r\n");
		const client = open().send(upload("/").replace("HTTP/1.1", "HTTP/1.0"));
		await client.send("12345").untilClosed();
		expect(client.received).toMatch(/^HTTP\/1\.1 204 /);
		expect(read).not.toMatch(/^expect/m);
	});

	it("can't be reached: the client is not told to go on", async () => {
		const gone = new RawUpstream();
		const urls = [await gone.listen()];
		await gone.close();
		const other = await startEdge({ urls });
		const client = new RawClient(other.port).send(upload("/"));
		await client.until(({ received }) => received !== "");
		expect(client.received).toMatch(/^HTTP\/1\.1 502 /);
		client.destroy();
		await other.close();
	});
});

describe("whether a backend is asked", () => {
	interface Given {
		readonly upstream: Partial<Upstream>;
		readonly bodyBytesIn?: number;
		readonly expectsContinue?: boolean;
		readonly isComplete?: boolean;
	}
	const setUp = (given: Given) => {
		const { upstream, bodyBytesIn = 0, expectsContinue = true, isComplete = false } = given;
		const told: string[] = [];
		const exchange: Record<string, unknown> = {
			bodyBytesIn,
			responseStatusCode: 0,
			client: { expectsContinue, writeContinue: () => told.push("continue") },
			route: { backend: { upstream } },
		};
		const expectation = Expectation.of(exchange as unknown as Exchange, isComplete);
		return { told, exchange, expectation };
	};
	const able = () => ({ tellsContinue: true, occupancy: LIMITS.uploadStartOccupancy - 0.01 });
	/** Looks that see `ms` since now. */
	const look = (expectation: Expectation | undefined, ms: number, times = 2): void => {
		for (let time = 0; time < times; time += 1) expectation?.look(performance.now() + ms);
	};
	/** A backend that says nothing to it. */
	const silence = (upstream: Partial<Upstream>): void => {
		const { expectation } = setUp({ upstream });
		expectation?.onAttempt();
		look(expectation, LIMITS.expectationMs);
	};

	it("depends on the client, on what the backend's upstream can do, and on its free places", () => {
		const asks = setUp({ upstream: able() });
		expect([asks.told, asks.expectation?.metMs]).toEqual([[], Number.POSITIVE_INFINITY]);
		for (const given of [
			{ upstream: { occupancy: 0 } },
			{ upstream: { tellsContinue: true, occupancy: LIMITS.uploadStartOccupancy } },
			{ upstream: able(), bodyBytesIn: 1 },
			{ upstream: able(), isComplete: true },
		]) {
			const { told, expectation } = setUp(given);
			expect([told, expectation]).toEqual([["continue"], undefined]);
		}
		const hasty = setUp({ upstream: able(), expectsContinue: false });
		expect([hasty.told, hasty.expectation]).toEqual([[], undefined]);
	});

	it("the client is told once: by the backend, by its own body, or when the backend was silent", () => {
		for (const way of [
			(expectation: Expectation) => expectation.onContinue(),
			(expectation: Expectation) => expectation.met(),
			(expectation: Expectation) => look(expectation, LIMITS.expectationMs),
		]) {
			const { told, expectation } = setUp({ upstream: able() });
			expectation?.onAttempt();
			if (expectation !== undefined) way(expectation);
			expect(told).toEqual(["continue"]);
			expect(expectation?.metMs).toBeLessThanOrEqual(performance.now());
			expectation?.onContinue();
			expectation?.met();
			look(expectation, LIMITS.expectationMs);
			expect(told).toEqual(["continue"]);
		}
	});

	it("silence counts from the last attempt's header, and not in a single look", () => {
		const { told, expectation } = setUp({ upstream: able() });
		look(expectation, LIMITS.expectationMs * 1000);
		expectation?.onAttempt();
		look(expectation, LIMITS.expectationMs * 1000, 1);
		expectation?.onAttempt();
		look(expectation, LIMITS.expectationMs * 1000, 1);
		look(expectation, LIMITS.expectationMs - 1000);
		expect(told).toEqual([]);
		look(expectation, LIMITS.expectationMs, 1);
		expect(told).toEqual(["continue"]);
	});

	it("ends for a while behind several silences in a row", () => {
		const upstream = able();
		for (let count = 1; count < LIMITS.expectationFailures; count += 1) silence(upstream);
		setUp({ upstream }).expectation?.onContinue();
		for (let count = 1; count < LIMITS.expectationFailures; count += 1) silence(upstream);
		expect(setUp({ upstream }).expectation).toBeDefined();
		silence(upstream);
		expect(setUp({ upstream }).expectation).toBeUndefined();
		expect(setUp({ upstream: able() }).expectation).toBeDefined();
	});

	it("ends for a while where the backend can't bear it", () => {
		for (const [end, isAsked] of [
			[{ answeredBy: "upstream", responseStatusCode: 417 }, false],
			[{ answeredBy: "edge", responseStatusCode: 417 }, true],
			[{ answeredBy: "upstream", responseStatusCode: 413 }, true],
			[{ failure: "connect" }, true],
			[{ failure: "broken" }, true],
			[{}, true],
		] as const) {
			const upstream = able();
			const { exchange, expectation, told } = setUp({ upstream });
			Object.assign(exchange, end);
			expectation?.drop();
			expectation?.onContinue();
			expect(told).toEqual([]);
			expect(setUp({ upstream }).expectation !== undefined).toBe(isAsked);
		}
	});

	it("an answer without a 100 is no silence, and neither is one that goes on for long", () => {
		const refuses = { answeredBy: "upstream", responseStatusCode: 413 };
		for (const end of [
			(expectation: Expectation) => expectation.drop(),
			(expectation: Expectation) => look(expectation, LIMITS.expectationMs),
		]) {
			const upstream = able();
			for (let count = 1; count < 2 * LIMITS.expectationFailures; count += 1) {
				silence(upstream);
				const { exchange, expectation, told } = setUp({ upstream });
				expectation?.onAttempt();
				Object.assign(exchange, refuses);
				if (expectation !== undefined) end(expectation);
				expectation?.drop();
				expect(told).toEqual([]);
			}
			expect(setUp({ upstream }).expectation).toBeDefined();
		}
		const upstream = able();
		for (let count = 0; count < LIMITS.expectationFailures; count += 1) {
			const { exchange, expectation } = setUp({ upstream });
			Object.assign(exchange, { failure: "broken" });
			expectation?.drop();
		}
		expect(setUp({ upstream }).expectation).toBeUndefined();
	});

	it("an answer that has begun is not interrupted", () => {
		const { expectation, exchange, told } = setUp({ upstream: able() });
		Object.assign(exchange, { responseStatusCode: 200 });
		expectation?.onContinue();
		expect(told).toEqual([]);
	});
});
