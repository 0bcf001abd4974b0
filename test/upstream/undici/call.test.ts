/** Proves how a failed attempt ends: given back, counted, tried again or told, and always told later. */
import { expect, test, vi } from "vitest";
import { PooledCall } from "../../../src/upstream/undici/call.ts";
import { FakeConnection, FakePool, lines, plainRequest, RecordingSink, settle } from "./fakes.ts";

const assigned = (addressCount = 1, method = "GET") => {
	const pool = new FakePool(addressCount);
	const connection = new FakeConnection();
	const sink = new RecordingSink();
	const call = new PooledCall(plainRequest({ method }), sink, pool);
	call.assign(connection);
	return { pool, connection, sink, call };
};

test("a failure is told after the callback that brought it", async () => {
	const { call, sink, pool, connection } = assigned();
	call.onError(new Error("refused"));
	expect(sink.heard).toEqual([]);
	expect(pool.released).toEqual([connection]);
	await settle();
	expect(sink.heard).toEqual(["error connect"]);
	expect(pool.failures).toEqual(["connect"]);
});

test("connecting that took too long is a timeout, and another address is tried", async () => {
	const { call, sink, pool, connection } = assigned(2, "POST");
	connection.connectTimedOut = true;
	call.onError(new Error("late"));
	await settle();
	expect(pool.failures).toEqual(["timeout"]);
	expect(pool.retried).toEqual([call]);
	expect(call.tried).toEqual(new Set([0]));
	expect(sink.heard).toEqual([]);
});

test("a stale connection asks for a fresh one, once", async () => {
	const { call, sink, pool, connection } = assigned();
	connection.reused = true;
	call.onConnect(() => {});
	call.onError(new Error("reset"));
	await settle();
	expect(call.wantsFresh).toBe(true);
	expect(pool.retried).toEqual([call]);
	call.assign(connection);
	call.onConnect(() => {});
	call.onError(new Error("reset"));
	await settle();
	expect(pool.retried.length).toBe(1);
	expect(sink.heard).toEqual(["error broken"]);
});

test("what cannot be sent is no failure of the connection", async () => {
	const { call, sink, connection, pool } = assigned(2);
	call.onError(Object.assign(new Error("invalid"), { code: "UND_ERR_INVALID_ARG" }));
	await settle();
	expect(sink.heard).toEqual(["error broken"]);
	expect(connection.did).not.toContain("renew");
	expect(pool.retried).toEqual([]);
});

test("an abort before anything is sent keeps the connection, afterwards drops it", () => {
	const before = assigned();
	before.call.abort();
	expect(() => before.call.onConnect(() => {})).toThrow();
	expect(before.connection.did).not.toContain("renew");
	const after = assigned();
	let aborted = false;
	after.call.onConnect(() => {
		aborted = true;
	});
	after.call.onRequestSent();
	after.call.onHeaders(200, lines());
	after.call.abort();
	expect(aborted).toBe(true);
	expect(after.connection.did).toContain("renew");
});

test("an abort between two attempts ends it", async () => {
	const { call, sink, pool } = assigned(2);
	call.onError(new Error("refused"));
	call.abort();
	await settle();
	expect(pool.retried).toEqual([]);
	expect(pool.withdrawn).toBe(1);
	expect(sink.heard).toEqual([]);
});

test("an address fails with a fresh connection that breaks before any byte of an answer", async () => {
	const cases = [
		{ sent: true, failed: true },
		{ sent: false, failed: false },
		{ sent: true, reused: true, failed: false },
		{ sent: true, byte: true, failed: false },
		{ sent: true, code: "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH", failed: false },
	];
	for (const { sent, reused = false, byte = false, code = "", failed } of cases) {
		const { call, pool, connection } = assigned(2);
		connection.reused = reused;
		connection.sawResponseByte = byte;
		if (sent) call.onConnect(() => {});
		call.onError(Object.assign(new Error("reset"), { code }));
		await settle();
		expect(pool.failedAt, JSON.stringify({ sent, reused, byte, code })).toEqual(failed ? [0] : []);
	}
});

test("an answer that is late says nothing of the address's health", async () => {
	vi.useFakeTimers();
	try {
		const { call, pool, sink } = assigned(2);
		call.onConnect((error) => call.onError(error ?? new Error("no reason")));
		call.onRequestSent();
		await vi.advanceTimersByTimeAsync(2001);
		expect(sink.heard).toEqual(["error timeout"]);
		expect(pool.failedAt).toEqual([]);
	} finally {
		vi.useRealTimers();
	}
});
