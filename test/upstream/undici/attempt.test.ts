/** Proves when an attempt's deadlines run and whose turn it is, and what a late callback may not do. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PooledCall } from "../../../src/upstream/undici/call.ts";
import type { RequestBody } from "../../../src/upstream/upstream.ts";
import { FakeConnection, FakePool, lines, plainRequest, RecordingSink } from "./fakes.ts";

class IdleBody implements RequestBody {
	readonly length = -1;
	readonly touched = false;
	sink: Parameters<RequestBody["start"]>[0] | undefined;
	start(sink: Parameters<RequestBody["start"]>[0]): void {
		this.sink = sink;
	}
	pause(): void {}
	resume(): void {}
}

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const begin = (body?: RequestBody, reused = false) => {
	const pool = new FakePool();
	const connection = new FakeConnection();
	connection.reused = reused;
	const sink = new RecordingSink();
	const call = new PooledCall(plainRequest({ body }), sink, pool);
	call.assign(connection);
	const stream = call.openBody();
	call.onConnect((error) => call.onError(error ?? new Error("no reason")));
	return { pool, connection, sink, call, stream };
};

test("the response timeout begins when the request is sent, not before", async () => {
	const body = new IdleBody();
	const { call, sink } = begin(body);
	// The client is slow: no deadline of the backend runs.
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sink.heard).toEqual([]);
	call.onRequestSent();
	await vi.advanceTimersByTimeAsync(1999);
	expect(sink.heard).toEqual([]);
	await vi.advanceTimersByTimeAsync(2);
	expect(sink.heard).toEqual(["error timeout"]);
});

test("a backend that takes no more of the body is idle", async () => {
	const body = new IdleBody();
	const { sink, stream } = begin(body);
	stream?.read(0);
	body.sink?.onChunk(Buffer.alloc(1_000_000));
	await vi.advanceTimersByTimeAsync(2900);
	expect(sink.heard).toEqual([]);
	await vi.advanceTimersByTimeAsync(3200);
	expect(sink.heard).toEqual(["error timeout"]);
});

test("a response that stops is idle, one that moves or is held back is not", async () => {
	const { call, sink } = begin();
	call.onRequestSent();
	call.onHeaders(200, lines("content-length", "100"));
	for (let round = 0; round < 10; round += 1) {
		await vi.advanceTimersByTimeAsync(2900);
		sink.wantsMore = round < 9;
		call.onData(Buffer.from("x"));
	}
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sink.heard.at(-1)).toBe("data x");
	call.resume();
	await vi.advanceTimersByTimeAsync(2900);
	expect(sink.heard.at(-1)).toBe("data x");
	await vi.advanceTimersByTimeAsync(3200);
	expect(sink.heard.at(-1)).toBe("error timeout");
});

test("nothing late reaches the sink or arms a deadline after the end", async () => {
	const { call, sink, pool, connection } = begin();
	call.abort();
	call.onRequestSent();
	call.onHeaders(200, lines());
	call.onData(Buffer.from("x"));
	call.onComplete([]);
	call.onError(new Error("late"));
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sink.heard).toEqual([]);
	expect(pool.released).toEqual([connection]);
	expect(pool.failures).toEqual([]);
});

test("an end of the connection counts as the response's only in good order", async () => {
	for (const endedByPeer of [true, false]) {
		const { call, sink, connection } = begin();
		connection.endedByPeer = endedByPeer;
		call.onRequestSent();
		call.onHeaders(200, lines("x", "y"));
		call.onData(Buffer.from("x"));
		call.onComplete([]);
		expect(sink.heard.at(-1)).toBe(endedByPeer ? "end" : "error broken");
	}
});

test("a connection's first answer is its address's health; later ones, and what is refused, are not", () => {
	for (const reused of [false, true]) {
		const { call, pool } = begin(undefined, reused);
		call.onRequestSent();
		expect(pool.answeredAt).toEqual([]);
		call.onHeaders(200, lines("content-length", "0"));
		expect(pool.answeredAt).toEqual(reused ? [] : [0]);
	}
	const refused = begin();
	refused.call.onHeaders(200, lines("content-length", "0", "content-length", "0"));
	expect(refused.pool.answeredAt).toEqual([]);
});
