/** Upstream suite: back-pressure both ways and constant memory. */
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ChunkedBody, ManualBody, until } from "../probe.ts";

const MEBIBYTE = 1 << 20;
/** bytes that may be under way at once, kernel buffers not counted, with room for the collector */
const HELD_AT_MOST = 64 * MEBIBYTE;

const heldBytes = (): number => {
	const { arrayBuffers, external, heapUsed } = process.memoryUsage();
	return Math.max(arrayBuffers, external) + heapUsed;
};

function* repeated(chunk: Uint8Array, count: number): Generator<Uint8Array> {
	for (let index = 0; index < count; index += 1) yield chunk;
}

export const upstreamFlow = (factory: UpstreamFactory): void => {
	test("nothing comes while the sink pushes back, and nothing is lost", async () => {
		const text = Buffer.alloc(3 * MEBIBYTE, "0123456789abcdef");
		for (const frame of ["content-length: 3145728\r\n", "", "transfer-encoding: chunked\r\n"]) {
			const upstream = await backend(async (connection) => {
				await connection.readRequest();
				connection.write(`HTTP/1.1 200 OK\r\n${frame}\r\n`);
				if (frame.startsWith("t")) {
					for (let at = 0; at < text.length; at += 1000) {
						const piece = text.subarray(at, at + 1000);
						connection.write(`${piece.length.toString(16)}\r\n${piece.toString("latin1")}\r\n`);
					}
					connection.write("0\r\n\r\n");
				} else {
					connection.write(text);
				}
				connection.end();
			});
			let count = 0;
			const sent = bench(factory, [upstream.url]).probe(
				{},
				{
					onData: () => {
						count += 1;
						if (count % 3 === 0) return true;
						// Before or after it returns: both must work.
						if (count % 3 === 1) setImmediate(() => sent.resume());
						else queueMicrotask(() => sent.resume());
						return false;
					},
				},
			);
			const answer = await sent.answer;
			expect(answer.failure).toBeUndefined();
			expect(answer.body.equals(text)).toBe(true);
		}
	});

	test("a resume from within the push-back counts", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			connection.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nabc");
			connection.write("def");
		});
		const sent = bench(factory, [upstream.url]).probe(
			{},
			{
				onData: () => {
					sent.resume();
					return false;
				},
			},
		);
		expect((await sent.answer).body.toString()).toBe("abcdef");
	});

	test("a paused sink holds the backend back", async () => {
		let written = 0;
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			connection.write("HTTP/1.1 200 OK\r\ncontent-length: 268435456\r\n\r\n");
			const chunk = Buffer.alloc(MEBIBYTE);
			while (connection.socket.writable) {
				await connection.drain(chunk);
				written += chunk.length;
			}
		});
		const sent = bench(factory, [upstream.url]).probe({}, { keep: false, onData: () => false });
		await until(() => sent.bytes > 0, "the first bytes");
		let last = -1;
		let still = 0;
		await until(() => {
			still = written === last ? still + 1 : 0;
			last = written;
			return still > 2000;
		}, "the backend stands still");
		expect(written).toBeLessThan(32 * MEBIBYTE);
		sent.abort();
	});

	test("a backend that ends, or breaks, while the sink pushes back", async () => {
		for (const frame of ["", "content-length: 100000\r\n", "transfer-encoding: chunked\r\n"]) {
			for (const how of ["end", "reset"] as const) {
				const upstream = await backend(async (connection) => {
					await connection.readRequest();
					await connection.drain(Buffer.from(`HTTP/1.1 200 OK\r\n${frame}\r\n`));
					await connection.drain(Buffer.from("a\r\n0123456789"));
					connection[how]();
				});
				const sent = bench(factory, [upstream.url]).probe({}, { onData: () => false });
				await until(() => sent.bytes > 0 || sent.ended, "the first bytes");
				for (let turn = 0; turn < 20; turn += 1) {
					await new Promise((resolve) => setImmediate(resolve));
				}
				await until(() => {
					if (!sent.ended) sent.resume();
					return sent.ended;
				}, "the answer ends");
				const answer = await sent.answer;
				expect(answer.failure).toBe(frame === "" && how === "end" ? undefined : "broken");
			}
		}
	});

	test("a backend that does not read holds the body back", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readHead();
			connection.socket.pause();
			await connection.closed;
		});
		const sent = bench(factory, [upstream.url]);
		const body = new ManualBody(-1);
		const probe = sent.probe({ method: "POST", body });
		await until(() => body.started, "the body starts");
		let pushed = 0;
		await until(() => {
			if (!body.paused) {
				body.push(Buffer.alloc(65_536));
				pushed += 65_536;
			}
			return body.paused && pushed > 0;
		}, "the body is paused");
		expect(pushed).toBeLessThan(32 * MEBIBYTE);
		probe.abort();
	});

	test.each([268_435_456, -1])(
		"256 MiB up and down (length %d) in constant memory",
		async (length) => {
			const upstream = await backend(async (connection) => {
				await connection.readHead();
				connection.write(
					length === -1
						? "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
						: `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`,
				);
				// The same framing both ways, so that the body's bytes can go straight back.
				connection.echo();
			});
			const chunk = Buffer.alloc(65_536, "0123456789abcdef");
			const body = new ChunkedBody(repeated(chunk, 4096), length);
			const before = heldBytes();
			let most = 0;
			let good = true;
			let at = 0;
			const sent = bench(factory, [upstream.url]).probe(
				{ method: "POST", body },
				{
					keep: false,
					onData: (bytes) => {
						// Every chunk of the pattern begins where the last one stopped.
						good &&=
							bytes[0] === chunk[at % 16] &&
							bytes[bytes.length - 1] === chunk[(at + bytes.length - 1) % 16];
						at += bytes.length;
						most = Math.max(most, heldBytes() - before);
						return true;
					},
				},
			);
			expect((await sent.answer).failure).toBeUndefined();
			expect(sent.bytes).toBe(268_435_456);
			expect(good).toBe(true);
			expect(most).toBeLessThan(HELD_AT_MOST);
		},
		60_000,
	);
};
