/** Upstream suite: what takes too long, and what takes long but is in order. */
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ManualBody, unacceptingUrl, until, wholeBody } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const upstreamTimeouts = (factory: UpstreamFactory): void => {
	test("a backend that never answers times out, and its connection is dropped", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			await connection.closed;
		});
		const { ask, failures } = bench(factory, [upstream.url], { responseTimeoutMs: 50 });
		expect(await ask()).toMatchObject({ failure: "timeout", statusCode: undefined });
		expect(failures.length).toBe(1);
		await upstream.connections[0]?.closed;
		expect(upstream.connections.length).toBe(1);
	});

	test("interim responses and a dripping header do not stretch the response timeout", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			while (connection.socket.writable) {
				const interim = connection.index === 0;
				connection.write(interim ? "HTTP/1.1 102 Processing\r\n\r\n" : "H");
				await pause(10);
			}
		});
		const { ask } = bench(factory, [upstream.url], { responseTimeoutMs: 80 });
		expect((await ask()).failure).toBe("timeout");
		expect(["timeout", "broken"]).toContain((await ask()).failure);
	});

	test("the backend's own timeouts win", async () => {
		const upstream = await backend(async (connection) => {
			await connection.closed;
		});
		const long = { connectTimeoutMs: 60_000, responseTimeoutMs: 60_000, idleTimeoutMs: 60_000 };
		const { ask } = bench(factory, [upstream.url], long, { response_timeout_ms: 50 });
		expect((await ask()).failure).toBe("timeout");
	});

	test("connecting that hangs times out, and goes on elsewhere", async () => {
		const stuck = await unacceptingUrl();
		const alone = bench(factory, [stuck], { connectTimeoutMs: 50 });
		expect((await alone.ask({ method: "POST" })).failure).toBe("timeout");
		expect(alone.failures.map(({ failure }) => failure)).toEqual(["timeout"]);
		const good = await backend(answering(OK));
		const both = bench(factory, [stuck, good.url], { connectTimeoutMs: 50 });
		expect((await both.ask({ method: "POST", body: wholeBody("hello") })).body.toString()).toBe(
			"ok",
		);
		expect(both.failures.map(({ address }) => address)).toEqual([stuck]);
	});

	test("waiting for a free connection times out", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			await connection.closed;
		});
		const { probe, ask } = bench(factory, [upstream.url], { connections: 1, connectTimeoutMs: 50 });
		probe({});
		await until(() => upstream.connections.length === 1, "the first request takes the connection");
		expect(await ask()).toMatchObject({ failure: "timeout" });
	});

	test("a long upload is not a slow answer", async () => {
		const upstream = await backend(async (connection) => {
			const { body } = await connection.readRequest();
			connection.write(`HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n${body.length}`);
		});
		const { probe } = bench(factory, [upstream.url], { responseTimeoutMs: 60, idleTimeoutMs: 60 });
		const body = new ManualBody(200);
		const sent = probe({ method: "POST", body });
		await until(() => body.started, "the body starts");
		for (let round = 0; round < 20; round += 1) {
			body.push("0123456789");
			await pause(15);
		}
		body.end();
		expect((await sent.answer).body.toString()).toBe("200");
	});

	test("a backend that stops reading the request times out", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readHead();
			connection.socket.pause();
			await connection.closed;
		});
		const { probe } = bench(factory, [upstream.url], { idleTimeoutMs: 100 });
		const body = new ManualBody(-1);
		const sent = probe({ method: "POST", body });
		await until(() => body.started, "the body starts");
		const chunk = Buffer.alloc(65_536);
		while (!body.paused) {
			body.push(chunk);
			await pause(0);
		}
		expect((await sent.answer).failure).toBe("timeout");
	});

	test("a response that stops in the middle times out, one that drips does not", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			connection.write("HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n");
			for (let round = 0; round < 20; round += 1) {
				connection.write("x");
				await pause(15);
			}
			if (connection.index === 1) connection.write("0123456789");
			await connection.closed;
		});
		const { ask } = bench(factory, [upstream.url], { idleTimeoutMs: 100, responseTimeoutMs: 100 });
		const stopped = await ask();
		expect(stopped.failure).toBe("timeout");
		expect(stopped.body.length).toBe(20);
		expect((await ask()).body.toString()).toBe(`${"x".repeat(20)}0123456789`);
	});

	test("time that the sink takes is not the backend's", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			connection.write(OK);
		});
		const { probe } = bench(factory, [upstream.url], { idleTimeoutMs: 40 });
		const sent = probe({}, { onData: () => false });
		await until(() => sent.bytes === 2, "the body arrives");
		await pause(150);
		sent.resume();
		expect((await sent.answer).failure).toBeUndefined();
	});
};
