/** Upstream suite: a client that goes away, in every state of its request. */
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ManualBody, until } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const silent = async (connection: {
	readRequest(): Promise<unknown>;
	closed: Promise<void>;
}): Promise<void> => {
	await connection.readRequest();
	await connection.closed;
};

export const upstreamAbort = (factory: UpstreamFactory): void => {
	test("at once after sending: the next request is served", async () => {
		const upstream = await backend(answering(OK));
		const { probe, ask } = bench(factory, [upstream.url], { connections: 1 });
		for (let round = 0; round < 10; round += 1) probe({}).abort();
		expect((await ask()).body.toString()).toBe("ok");
	});

	test("while it waits for a connection: it is never sent", async () => {
		const targets: string[] = [];
		let release = false;
		const upstream = await backend(async (connection) => {
			for (;;) {
				targets.push((await connection.readRequest()).target);
				await until(() => release, "the test goes on");
				connection.write(OK);
			}
		});
		const { probe, ask } = bench(factory, [upstream.url], { connections: 1 });
		const first = ask({ target: "/first" });
		const waiting = probe({ target: "/waiting" });
		const last = ask({ target: "/last" });
		waiting.abort();
		release = true;
		await first;
		await last;
		expect(targets).toEqual(["/first", "/last"]);
	});

	test("while the answer is awaited: the backend's connection goes", async () => {
		const upstream = await backend(silent);
		const { probe } = bench(factory, [upstream.url]);
		const sent = probe({});
		await until(() => upstream.connections.length === 1, "it is connected");
		sent.abort();
		sent.abort();
		await upstream.connections[0]?.closed;
		for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
		expect(upstream.connections.length, "no connection for nothing").toBe(1);
	});

	test.each([100, -1])(
		"while the body (length %d) is sent: it does not look complete",
		async (length) => {
			let rest: Buffer | undefined;
			const upstream = await backend(async (connection) => {
				await connection.readHead();
				rest = await connection.readToEnd();
			});
			const { probe } = bench(factory, [upstream.url]);
			const body = new ManualBody(length);
			const sent = probe({ method: "POST", body });
			await until(() => body.started, "the body starts");
			body.push("half");
			await until(() => upstream.connections.length === 1, "it is connected");
			sent.abort();
			body.push("more");
			body.end();
			await until(() => rest !== undefined, "the backend sees the end");
			expect(rest?.toString("latin1")).not.toMatch(/(^|\n)0\r\n/);
			expect(rest?.length).toBeLessThan(100);
		},
	);

	test.each([true, false])(
		"within the response (paused: %s): the connection goes",
		async (paused) => {
			const upstream = await backend(async (connection) => {
				await connection.readRequest();
				connection.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc");
				await connection.closed;
			});
			const { probe, ask } = bench(factory, [upstream.url], { connections: 1 });
			const sent = probe({}, { onData: () => !paused });
			await until(() => sent.bytes > 0, "the body begins");
			sent.abort();
			sent.call.resume();
			await upstream.connections[0]?.closed;
			void ask();
			await until(() => upstream.connections.length === 2, "the next one gets a new connection");
		},
	);

	test("from within each callback", async () => {
		const upstream = await backend(answering(OK));
		const { probe, ask } = bench(factory, [upstream.url], { connections: 2 });
		for (let round = 0; round < 5; round += 1) {
			const atHeader = probe({}, { onResponse: () => atHeader.abort() });
			const atData = probe(
				{},
				{
					onData: () => {
						atData.abort();
						return round % 2 === 0;
					},
				},
			);
			expect((await ask()).body.toString()).toBe("ok");
		}
	});

	test("after the end: nothing happens, and the connection stays", async () => {
		const upstream = await backend(answering(OK));
		const { probe, ask } = bench(factory, [upstream.url]);
		const sent = probe({});
		await sent.answer;
		sent.call.abort();
		sent.call.resume();
		await ask();
		expect(upstream.connections.length).toBe(1);
	});

	test("while a refused connection is about to be tried elsewhere", async () => {
		const upstream = await backend(answering(OK));
		const { probe, ask } = bench(factory, ["http://127.0.0.1:1", upstream.url]);
		const sent = probe({});
		await new Promise((resolve) => setImmediate(resolve));
		sent.abort();
		expect((await ask()).failure).toBeUndefined();
	});
};
