/** Upstream suite: whose memory a chunk is. The caller's once `onChunk` has returned, the upstream's after `onData`. */
import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ManualBody, type Probe, until } from "../probe.ts";

const MEBIBYTE = 1 << 20;

/** Gives pieces of `bytes` out in one piece of memory, which it spoils as soon as a piece was taken. */
class SpoilingBody extends ManualBody {
	readonly #bytes: Uint8Array;
	readonly #memory: Uint8Array;
	#at = 0;
	#pumping = false;

	constructor(bytes: Uint8Array, pieceBytes: number, length: number) {
		super(length);
		this.#bytes = bytes;
		this.#memory = new Uint8Array(pieceBytes);
	}

	override start(sink: Parameters<ManualBody["start"]>[0]): void {
		super.start(sink);
		this.#pump();
	}

	override resume(): void {
		super.resume();
		this.#pump();
	}

	#pump(): void {
		if (this.#pumping) return;
		this.#pumping = true;
		while (!this.paused && this.#at < this.#bytes.length) {
			const piece = this.#bytes.subarray(this.#at, this.#at + this.#memory.length);
			this.#at += piece.length;
			this.#memory.set(piece);
			this.push(this.#memory.subarray(0, piece.length));
			this.#memory.fill(0xaa);
		}
		if (this.#at === this.#bytes.length) this.end();
		this.#pumping = false;
	}
}

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const upstreamMemory = (factory: UpstreamFactory): void => {
	test.each([
		[3000, 1000],
		[2 * MEBIBYTE, 50_000],
		[4 * MEBIBYTE, 4 * MEBIBYTE],
	])(
		"a body of %d bytes whose pieces are spoiled once taken arrives whole",
		async (size, piece) => {
			const upstream = await backend(async (connection) => {
				for (;;) {
					// Reads late, so that what the socket doesn't take must be kept.
					connection.socket.pause();
					for (let turn = 0; turn < 5; turn += 1) {
						await new Promise((resolve) => setImmediate(resolve));
					}
					connection.socket.resume();
					const { body } = await connection.readRequest();
					connection.write(`HTTP/1.1 200 OK\r\ncontent-length: 64\r\n\r\n${digest(body)}`);
				}
			});
			const { ask } = bench(factory, [upstream.url], { connections: 2 });
			const bytes = randomBytes(size);
			const sent = [size, -1, size, -1].map((length) =>
				ask({ method: "POST", body: new SpoilingBody(bytes, piece, length) }),
			);
			for (const answer of sent) expect((await answer).body.toString()).toBe(digest(bytes));
		},
	);

	test("what is held back for one sink is not spoiled by what others get", async () => {
		const upstream = await backend(async (connection) => {
			for (;;) {
				const { target } = await connection.readRequest();
				const [, size = "", kind = "", byte = ""] = target.split("/");
				const body = Buffer.alloc(Number(size), byte);
				const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
				const frame = kind === "chunked" ? "transfer-encoding: chunked" : `content-length: ${size}`;
				connection.write(
					`HTTP/1.1 200 OK\r\n${frame}\r\n\r\n${kind === "chunked" ? chunked : body}`,
				);
			}
		});
		const { probe } = bench(factory, [upstream.url], { connections: 8 });
		const one = fc.record({
			size: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 400_000 })),
			kind: fc.constantFrom("chunked", "length"),
			/** push back at every so many chunks; 0: never */
			every: fc.nat(3),
			turns: fc.nat(4),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(one, { minLength: 2, maxLength: 16 }), async (requests) => {
				const probes = requests.map(
					({ size, kind, every, turns }, index): [Probe, number, string] => {
						const byte = String.fromCharCode(97 + index);
						let count = 0;
						let resuming = turns;
						const sent: Probe = probe(
							{ target: `/${size}/${kind}/${byte}` },
							{
								onData: () => {
									count += 1;
									if (every === 0 || count % every !== 0) return true;
									resuming = turns;
									const later = (): void => {
										resuming -= 1;
										if (resuming > 0) setImmediate(later);
										else sent.resume();
									};
									setImmediate(later);
									return false;
								},
							},
						);
						return [sent, size, byte];
					},
				);
				for (const [sent, size, byte] of probes) {
					const answer = await sent.answer;
					expect(answer.failure).toBeUndefined();
					expect(answer.body.equals(Buffer.alloc(size, byte))).toBe(true);
				}
			}),
			{ numRuns: 25 },
		);
	});

	test("a response that ends before its request takes no more of the body", async () => {
		for (const length of [64 * MEBIBYTE, -1]) {
			const upstream = await backend(async (connection) => {
				await connection.readHead();
				connection.socket.pause();
				await until(() => body.paused, "the body is held back");
				connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
				await until(() => sent.ended, "the answer ends");
				// A socket that isn't read doesn't tell that it was closed.
				connection.socket.resume();
				await connection.closed;
			});
			const { probe } = bench(factory, [upstream.url]);
			const body = new ManualBody(length);
			const sent = probe({ method: "POST", body });
			await until(() => body.started, "the body starts");
			const chunk = Buffer.alloc(65_536);
			await until(() => {
				if (!body.paused) body.push(chunk);
				return sent.ended;
			}, "the answer ends");
			expect((await sent.answer).body.toString()).toBe("ok");
			await upstream.connections[0]?.closed;
			expect(body.paused, "it is not told to go on").toBe(true);
			body.push(chunk);
			body.end();
		}
	});
};
