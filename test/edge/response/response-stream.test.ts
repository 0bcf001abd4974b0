/**
 * Contract 6, bodies: what goes to the client is framed rightly whatever its socket takes when. Once with
 * a stand-in for the server library that is full at any moment a test wants, once with the library itself.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { ResponseStream } from "../../../src/edge/response/response-stream.ts";
import { IdleTimeouts } from "../../../src/edge/slow/idle-timeouts.ts";
import { RawResponseHead } from "../../../src/upstream/response-head.ts";
import type { ResponseSink, UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { NO_CALL, NO_LOAD } from "../../upstream/idle.ts";
import { ScriptedResponse } from "../../upstream/scripted-response.ts";
import { get, startEdge } from "../harness.ts";
import { BodyReader } from "../request/body-reader.ts";

const MEBIBYTE = 1_048_576;
const NO_LINES = RawResponseHead.from([]) as RawResponseHead;
/** Each place differs from its neighbours, so that nothing lost or repeated goes unseen. */
const patternOf = (bytes: number): Buffer => {
	const pattern = Buffer.alloc(bytes + 4);
	for (let at = 0; at < bytes; at += 4) pattern.writeUInt32BE(at, at);
	return pattern.subarray(0, bytes);
};

describe("a body", () => {
	const body = patternOf(8 * 70_000);
	const chunkBytes = fc.oneof(
		fc.integer({ min: 1, max: 200 }),
		fc.integer({ min: 16_000, max: 16_500 }),
		fc.integer({ min: 1, max: 70_000 }),
	);
	const headBytes = fc.oneof(
		fc.integer({ min: 0, max: 300 }),
		fc.integer({ min: 15_000, max: 15_900 }),
	);
	const script = fc.record({
		chunks: fc.array(fc.record({ bytes: chunkBytes, silence: fc.boolean() }), {
			minLength: 1,
			maxLength: 8,
		}),
		takes: fc.array(fc.constantFrom(1, 1, 1, 0.5, 0.001, 0), { minLength: 1, maxLength: 30 }),
		sized: fc.boolean(),
		headFirst: fc.boolean(),
		headBytes,
	});

	const problemOf = async ({
		chunks,
		takes,
		sized,
		headFirst,
		headBytes,
	}: typeof script extends fc.Arbitrary<infer Script> ? Script : never) => {
		const total = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
		// The last one so that it is not full for ever.
		const response = new ScriptedResponse([...takes, 1]);
		const client = { isHttp10: false, acknowledgedBytes: () => -1, keepPaused: () => {} };
		let drained = true;
		let ended = false;
		const stream = new ResponseStream(
			{ response, client, bytesOut: 0 } as unknown as Exchange,
			new IdleTimeouts(60_000),
			200,
			{ passed: `x: ${"y".repeat(headBytes)}`, ascii: true },
			sized ? total : -1,
			{
				ending: () => {},
				ended: () => {
					ended = true;
				},
				drained: () => {
					drained = true;
				},
				tooSlow: () => {},
				upstreamCall: NO_CALL,
			},
		);
		const problem = (given: number): string | undefined => {
			const reader = new BodyReader(body);
			for (const bytes of response.wire) reader.push(bytes);
			if (reader.mistake !== undefined) return reader.mistake;
			if (reader.received !== given) return `${reader.received} bytes of ${given}`;
			return reader.complete === ended ? undefined : `complete: ${reader.complete}`;
		};
		if (headFirst) await Promise.resolve();
		let given = 0;
		for (const { bytes, silence } of chunks) {
			drained = stream.write(body.subarray(given, given + bytes)) === "taken";
			given += bytes;
			while (!drained && !ended) response.becomeWritable();
			if (!silence) continue;
			response.drain();
			const found = problem(given);
			if (found !== undefined) return found;
		}
		if (!stream.end()) return "not at its end";
		response.drain();
		return ended ? problem(total) : "not ended";
	};

	it("arrives as it was given, and all of it while the upstream is silent", async () => {
		await fc.assert(
			fc.asyncProperty(script, async (each) => {
				expect(await problemOf(each)).toBeUndefined();
			}),
			{ numRuns: 500 },
		);
	});
});

/**
 * An upstream of one response without a length, that goes over `body` again and again. The client reads
 * only while it is made to wait, so that its socket gets full as often as can be.
 */
const upstreamOf = (
	body: Buffer,
	chunkBytes: number,
	chunks: number,
	clientReads: (wanted: boolean) => void,
): UpstreamFactory => {
	const begin = (sink: ResponseSink) => {
		let sent = 0;
		let open = true;
		const more = (): void => {
			clientReads(false);
			while (open && sent < chunks) {
				const at = (sent++ * chunkBytes) % body.length;
				if (!sink.onData(body.subarray(at, at + chunkBytes))) {
					clientReads(true);
					return;
				}
			}
			clientReads(true);
			if (open) sink.onEnd();
		};
		setImmediate(() => {
			sink.onResponse(200, NO_LINES, -1);
			more();
		});
		return {
			...NO_CALL,
			resume: () => void setImmediate(more),
			abort: () => {
				open = false;
			},
		};
	};
	return () => ({
		...NO_LOAD,
		send: (_request, sink) => begin(sink),
		close: () => Promise.resolve(),
	});
};

describe("a chunked response", () => {
	// The kernel gathers what it sends over the loopback in pieces of 65,483 bytes: a chunk of 65,475 with
	// its framing fills one, so that the socket is often full exactly where a chunk begins.
	it.each([65_475, 65_536, 16_378, 16_320])(
		"in chunks of %d bytes is framed rightly for a client that is often full, in bounded memory",
		async (chunkBytes) => {
			const chunks = Math.ceil((96 * MEBIBYTE) / chunkBytes);
			const body = patternOf(16 * chunkBytes);
			let socket: Socket | undefined;
			const upstreamFactory = upstreamOf(body, chunkBytes, chunks, (wanted) => {
				if (wanted) socket?.resume();
				else socket?.pause();
			});
			const edge = await startEdge({ urls: ["http://127.0.0.1:1"], upstreamFactory });
			const reader = new BodyReader(body);
			const before = process.memoryUsage().rss;
			let most = before;
			socket = connect(edge.port, "127.0.0.1");
			const closed = once(socket, "close");
			socket.write(get("/"));
			socket.on("data", (bytes: Buffer) => {
				reader.push(bytes);
				most = Math.max(most, process.memoryUsage().rss);
				if (reader.complete || reader.mistake !== undefined) socket?.destroy();
			});
			await closed;
			await edge.close();
			expect(reader.mistake).toBeUndefined();
			expect([reader.received, reader.complete]).toEqual([chunks * chunkBytes, true]);
			expect(most - before).toBeLessThan(120 * MEBIBYTE);
		},
	);
});
