/** Proves how a failed attempt ends: given back, counted, tried again or told, and always told later. */
import { expect, test } from "vitest";
import { PooledCall } from "../../../src/upstream/undici/call.ts";
import { FakeConnection, FakeOwner, lines, plainRequest, RecordingSink, settle } from "./fakes.ts";

const assigned = (addressCount = 1, method = "GET") => {
	const owner = new FakeOwner(addressCount);
	const connection = new FakeConnection();
	const sink = new RecordingSink();
	const call = new PooledCall(plainRequest({ method }), sink, owner);
	call.assign(connection);
	return { owner, connection, sink, call };
};

test("a failure is told after the callback that brought it", async () => {
	const { call, sink, owner, connection } = assigned();
	call.onError(new Error("refused"));
	expect(sink.heard).toEqual([]);
	expect(owner.released).toEqual([connection]);
	await settle();
	expect(sink.heard).toEqual(["error connect"]);
	expect(owner.failures).toEqual(["connect"]);
});

test("connecting that took too long is a timeout, and another address is tried", async () => {
	const { call, sink, owner, connection } = assigned(2, "POST");
	connection.connectTimedOut = true;
	call.onError(new Error("late"));
	await settle();
	expect(owner.failures).toEqual(["timeout"]);
	expect(owner.retried).toEqual([call]);
	expect(call.tried).toEqual(new Set([0]));
	expect(sink.heard).toEqual([]);
});

test("a stale connection asks for a fresh one, once", async () => {
	const { call, sink, owner, connection } = assigned();
	connection.reused = true;
	call.onConnect(() => {});
	call.onError(new Error("reset"));
	await settle();
	expect(call.wantsFresh).toBe(true);
	expect(owner.retried).toEqual([call]);
	call.assign(connection);
	call.onConnect(() => {});
	call.onError(new Error("reset"));
	await settle();
	expect(owner.retried.length).toBe(1);
	expect(sink.heard).toEqual(["error broken"]);
});

test("what cannot be sent is no failure of the connection", async () => {
	const { call, sink, connection, owner } = assigned(2);
	call.onError(Object.assign(new Error("invalid"), { code: "UND_ERR_INVALID_ARG" }));
	await settle();
	expect(sink.heard).toEqual(["error broken"]);
	expect(connection.did).not.toContain("renew");
	expect(owner.retried).toEqual([]);
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
	const { call, sink, owner } = assigned(2);
	call.onError(new Error("refused"));
	call.abort();
	await settle();
	expect(owner.retried).toEqual([]);
	expect(owner.withdrawn).toBe(1);
	expect(sink.heard).toEqual([]);
});
