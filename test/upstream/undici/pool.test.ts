/** Proves which connection a request gets, who waits, and what closing waits for, over fake connections. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { UpstreamPool } from "../../../src/upstream/undici/pool.ts";
import type { UpstreamOptions } from "../../../src/upstream/upstream.ts";
import { FakeConnection, plainRequest, RecordingSink, settle } from "./fakes.ts";

const poolOf = (change: Partial<UpstreamOptions> = {}, addresses = ["http://a"]) => {
	const made: FakeConnection[] = [];
	const clock = { now: 0 };
	const pool = new UpstreamPool({
		connectTimeoutMs: 1000,
		responseTimeoutMs: 1000,
		idleTimeoutMs: 1000,
		connections: 2,
		queue: 2,
		onAttemptFailed: () => {},
		onRetry: () => {},
		addresses,
		makeConnection: (_, address) => {
			const connection = new FakeConnection(address);
			made.push(connection);
			return connection;
		},
		now: () => clock.now,
		seed: 1,
		...change,
	});
	const send = (method = "GET"): RecordingSink => {
		const sink = new RecordingSink();
		pool.send(plainRequest({ method }), sink);
		return sink;
	};
	return { pool, made, clock, send };
};

test("a request that cannot be repeated takes no connection that was idle for long", () => {
	const { made, clock, send } = poolOf();
	send();
	made[0]?.answer();
	clock.now = LIMITS.upstreamReuseMs - 1;
	send("POST");
	expect(made.length).toBe(1);
	made[0]?.answer();
	clock.now += LIMITS.upstreamReuseMs;
	send("POST");
	expect(made.length).toBe(2);
	send("GET");
	expect(made.length).toBe(2);
});

test("with no room for another connection the oldest idle one is opened anew", () => {
	const { made, clock, send } = poolOf({ connections: 1 });
	send();
	made[0]?.answer();
	clock.now = LIMITS.upstreamReuseMs;
	send("POST");
	expect(made.length).toBe(1);
	expect(made[0]?.did).toContain("disconnect");
});

test("the connection used last is taken first", () => {
	const { made, send } = poolOf();
	send();
	send();
	made[1]?.answer();
	made[0]?.answer();
	const before = made[0]?.call;
	send();
	expect(made[0]?.call).not.toBe(before);
});

test("a connection that closed while idle is not preferred to an open one", () => {
	const { pool, made, send } = poolOf();
	send();
	send();
	for (const connection of made) connection.answer();
	const [first, last] = made;
	if (first === undefined || last === undefined) throw new Error("two were made");
	last.connected = false;
	pool.disconnected(last);
	const before = first.call;
	send();
	expect(first.call).not.toBe(before);
});

test("who waits is served in order; who finds the queue full is told", async () => {
	const { made, send } = poolOf();
	const sinks = Array.from({ length: 5 }, () => send());
	await settle();
	expect(sinks[4]?.heard).toEqual(["error queue_full"]);
	made[0]?.answer();
	await settle();
	made[0]?.answer();
	await settle();
	made[0]?.answer();
	expect(sinks.map(({ heard }) => heard.at(-1))).toEqual([
		"end",
		undefined,
		"end",
		"end",
		"error queue_full",
	]);
});

test("closing waits for busy connections and for nothing else", async () => {
	const { pool, made, send } = poolOf();
	send();
	send();
	made[1]?.answer();
	let closed = false;
	const closing = pool.close().then(() => {
		closed = true;
	});
	await settle();
	expect(made[1]?.did).toContain("close");
	expect(made[0]?.did).not.toContain("close");
	expect(closed).toBe(false);
	made[0]?.answer();
	await closing;
	expect(made[0]?.did).toContain("close");
	const late = send();
	made[2]?.answer();
	expect(late.heard.at(-1)).toBe("end");
	expect(made[2]?.did).toContain("close");
	await pool.close();
});

test("a probe gets a fresh connection, though one is idle from before the failure", () => {
	const { pool, made, clock, send } = poolOf({ connections: 5 }, ["http://a", "http://b"]);
	const sendTwo = () => {
		send();
		send();
		for (const connection of made.filter(({ call }) => call !== undefined)) {
			connection.answer();
			connection.call = undefined;
		}
	};
	const madeFor = () => made.map(({ address }) => address);
	sendTwo();
	expect(madeFor()).toEqual([0, 1]);
	pool.addressFailed(0);
	sendTwo();
	expect(madeFor()).toEqual([0, 1, 1]);
	// Its delay is over at the latest.
	clock.now = 1000;
	sendTwo();
	expect(madeFor()).toEqual([0, 1, 1, 0]);
	// It has answered, so that its idle connections will do again.
	sendTwo();
	expect(made.length).toBe(4);
});
