/** Contract 6, bodies: back-pressure both ways, bounded memory, and what happens when one side leaves. */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { get, RawClient, RawUpstream, startEdge, type TestEdge } from "./harness.ts";

const upstream = new RawUpstream();
let edge: TestEdge;
beforeAll(async () => {
	edge = await startEdge({ urls: [await upstream.listen()] });
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
});
beforeEach(async () => {
	upstream.onConnection = undefined;
	upstream.requests.length = 0;
	// Each test scripts connections of its own.
	for (const socket of upstream.sockets) socket.destroy();
	await expect.poll(() => upstream.sockets.size).toBe(0);
});

const MEBIBYTE = 1_048_576;
const inFlight = () => edge.metrics.snapshot().weir_requests_in_flight;
const aborts = () => edge.metrics.snapshot().weir_client_aborts_total ?? 0;

/** Writes `total` bytes of a running pattern as fast as the socket takes them. */
const pump = (socket: Socket, total: number, sent: { bytes: number }, done: () => void): void => {
	const block = Buffer.alloc(65_536, "abcdefghijklmnopqrstuvwxyz012345");
	const more = (): void => {
		while (sent.bytes < total) {
			const piece = block.subarray(0, Math.min(block.length, total - sent.bytes));
			sent.bytes += piece.length;
			if (!socket.write(piece)) {
				socket.once("drain", more);
				return;
			}
		}
		done();
	};
	more();
};

const memory = () => {
	const { rss } = process.memoryUsage();
	return rss / MEBIBYTE;
};

describe("a large response", () => {
	it.each(["sized", "until the connection ends"])(
		"%s passes whole with bounded memory, and waits for a client that reads slowly",
		async (kind) => {
			const total = 256 * MEBIBYTE;
			const sent = { bytes: 0 };
			upstream.onConnection = (socket) => {
				socket.once("data", () => {
					socket.write(
						`HTTP/1.1 200 OK\r\n${kind === "sized" ? `Content-Length: ${total}\r\n` : ""}\r\n`,
					);
					pump(socket, total, sent, () => {
						if (kind !== "sized") socket.end();
					});
				});
			};
			const before = memory();
			let peak = 0;
			const client = connect(edge.port, "127.0.0.1");
			client.write(get("/"));
			// A client that doesn't read stops the upstream: what is on the way is bounded.
			await expect.poll(() => sent.bytes, { timeout: 10_000 }).toBeGreaterThan(0);
			let last = -1;
			await expect
				.poll(
					() => {
						const still = last === sent.bytes;
						last = sent.bytes;
						return still;
					},
					{ interval: 200, timeout: 10_000 },
				)
				.toBe(true);
			expect(sent.bytes).toBeLessThan(40 * MEBIBYTE);
			let received = 0;
			client.on("data", (data: Buffer) => {
				received += data.length;
				peak = Math.max(peak, memory());
			});
			await expect.poll(() => received, { timeout: 60_000 }).toBeGreaterThanOrEqual(total);
			client.destroy();
			expect(peak - before).toBeLessThan(120);
		},
		90_000,
	);
});

describe("bytes", () => {
	it("of a response that the client takes in bursts arrive as they were sent", async () => {
		// Each place differs from its neighbours, so that nothing lost or repeated goes unseen.
		const body = Buffer.alloc(24 * MEBIBYTE);
		for (let at = 0; at < body.length; at += 4) body.writeUInt32BE(at, at);
		upstream.onConnection = (socket) => {
			socket.once("data", () => {
				socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
				socket.write(body);
			});
		};
		const client = connect(edge.port, "127.0.0.1");
		client.write(get("/"));
		const received: Buffer[] = [];
		let bytes = 0;
		let pauseAt = 0;
		client.on("data", (data: Buffer) => {
			received.push(data);
			bytes += data.length;
			if (bytes < pauseAt) return;
			// Long enough for every buffer on the way to fill up.
			pauseAt = bytes + 4 * MEBIBYTE;
			client.pause();
			setTimeout(() => client.resume(), 100);
		});
		const head = () => (received[0]?.indexOf("\r\n\r\n") ?? 0) + 4;
		await expect.poll(() => bytes - head(), { timeout: 20_000 }).toBe(body.length);
		client.destroy();
		expect(Buffer.concat(received).subarray(head()).equals(body)).toBe(true);
	});

	it("of a request whose end comes late do end", async () => {
		const client = new RawClient(edge.port);
		let head = "";
		let answer = () => {};
		upstream.onConnection = (socket) => {
			socket.on("data", (data: Buffer) => {
				head += data.toString("latin1");
				if (head.endsWith("0\r\n\r\n")) answer();
			});
			answer = () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
		};
		client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
		await expect.poll(() => head).toContain("ab");
		client.send("0\r\n\r\n");
		expect((await client.response()).status).toBe(200);
		client.destroy();
	});
});

describe("a large request body", () => {
	it.each(["sized", "chunked"])(
		"%s passes whole with bounded memory, and waits for an upstream that reads slowly",
		async (kind) => {
			const total = 256 * MEBIBYTE;
			const sent = { bytes: 0 };
			let arrived = 0;
			let peer: Socket | undefined;
			upstream.onConnection = (socket) => {
				peer = socket;
				socket.on("data", (data) => {
					arrived += data.length;
					if (arrived >= total) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
				});
				socket.pause();
			};
			const before = memory();
			const client = new RawClient(edge.port);
			const framing = kind === "sized" ? `Content-Length: ${total}` : "Transfer-Encoding: chunked";
			client.send(`POST / HTTP/1.1\r\nHost: h\r\n${framing}\r\n\r\n`);
			if (kind === "sized") pump(client.socket, total, sent, () => {});
			else pumpChunked(client.socket, total, sent);
			let last = -1;
			await expect
				.poll(
					() => {
						const still = last === sent.bytes;
						last = sent.bytes;
						return still && sent.bytes > 0;
					},
					{ interval: 200, timeout: 10_000 },
				)
				.toBe(true);
			expect(sent.bytes).toBeLessThan(40 * MEBIBYTE);
			peer?.resume();
			let peak = 0;
			const watch = setInterval(() => {
				peak = Math.max(peak, memory());
			}, 20);
			const response = await client.until(
				({ received }) => received.includes("\r\n\r\nok"),
				60_000,
			);
			clearInterval(watch);
			expect(response.received).toContain("200 OK");
			expect(peak - before).toBeLessThan(120);
			client.destroy();
		},
		90_000,
	);
});

const pumpChunked = (socket: Socket, total: number, sent: { bytes: number }): void => {
	const data = Buffer.alloc(65_536, "x");
	const block = Buffer.concat([Buffer.from("10000\r\n"), data, Buffer.from("\r\n")]);
	const more = (): void => {
		while (sent.bytes < total) {
			sent.bytes += data.length;
			if (!socket.write(block)) {
				socket.once("drain", more);
				return;
			}
		}
		socket.write("0\r\n\r\n");
	};
	more();
};

describe("an upstream that dies", () => {
	it.each([
		["sized", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"],
		["sized, before any byte of the body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"],
		["chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"],
		["within a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n123"],
	])("within a body %s: the connection closes and nothing looks complete", async (_name, text) => {
		upstream.onConnection = (socket) => {
			socket.once("data", () => {
				socket.write(text);
				setTimeout(() => socket.destroy(), 30);
			});
		};
		const client = await new RawClient(edge.port).send(get("/")).untilClosed();
		expect(client.received).not.toMatch(/\r\n0\r\n\r\n$/);
		expect(client.received.split("\r\n\r\n")[1]).toMatch(/^(?:[35]\r\n)?\d{0,5}(?:\r\n)?$/);
		await expect.poll(inFlight).toBe(0);
	});
});

describe("a client that leaves", () => {
	it("before the response: the upstream's work is cancelled", async () => {
		let closed = false;
		upstream.onConnection = (socket) => {
			socket.on("data", () => {});
			socket.on("close", () => {
				closed = true;
			});
		};
		const before = aborts();
		const client = new RawClient(edge.port).send(get("/"));
		await expect.poll(() => upstream.sockets.size).toBeGreaterThan(0);
		await expect.poll(inFlight).toBe(1);
		client.destroy();
		await expect.poll(() => closed).toBe(true);
		expect([inFlight(), aborts()]).toEqual([0, before + 1]);
	});

	it("within the response", async () => {
		let closed = false;
		upstream.onConnection = (socket) => {
			socket.once("data", () => {
				socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n");
			});
			socket.on("close", () => {
				closed = true;
			});
		};
		const client = await new RawClient(edge.port)
			.send(get("/"))
			.until(({ received }) => received.includes("12345"));
		client.destroy();
		await expect.poll(() => closed).toBe(true);
		expect(inFlight()).toBe(0);
	});

	it("within its body: the upstream never sees a body that looks complete", async () => {
		let text = "";
		let closed = false;
		upstream.onConnection = (socket) => {
			socket.on("data", (data: Buffer) => {
				text += data.toString("latin1");
			});
			socket.on("close", () => {
				closed = true;
			});
		};
		for (const framing of ["Content-Length: 10", "Transfer-Encoding: chunked"]) {
			text = "";
			closed = false;
			const client = new RawClient(edge.port).send(
				`POST / HTTP/1.1\r\nHost: h\r\n${framing}\r\n\r\n${framing.startsWith("C") ? "12345" : "5\r\n12345\r\n"}`,
			);
			await expect.poll(() => text).toContain("12345");
			client.destroy();
			await expect.poll(() => closed).toBe(true);
			expect(text).not.toMatch(/0\r\n\r\n$/);
			expect(text.endsWith("12345") || text.endsWith("12345\r\n")).toBe(true);
		}
	});
});

describe("an answer that comes before the request body is finished", () => {
	it("reaches the client whole, and the rest of the body is read so that the connection goes on", async () => {
		let first = true;
		upstream.onConnection = (socket) => {
			socket.on("data", () => {
				if (first) {
					first = false;
					socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
				} else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
			});
		};
		const client = new RawClient(edge.port).send(
			"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\nstart",
		);
		const early = await client.response();
		expect([early.status, early.body]).toEqual([413, "big"]);
		client.send("x".repeat(300_000 - 5)).send(get("/next"));
		expect((await client.response()).body).toBe("ok");
		client.destroy();
		await expect.poll(inFlight).toBe(0);
	});
});
