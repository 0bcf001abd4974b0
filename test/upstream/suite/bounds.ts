/** Upstream suite: connections, the queue, and how long an unused connection is kept. */
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, until } from "../probe.ts";
import { answering, type ScriptedConnection } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** A backend that answers no one until it is told to; then everyone. */
const gate = (): { open: boolean; script: (connection: ScriptedConnection) => Promise<void> } => {
	const state = {
		open: false,
		script: async (connection: ScriptedConnection): Promise<void> => {
			for (;;) {
				await connection.readRequest();
				await until(() => state.open, "the gate opens");
				connection.write(OK);
			}
		},
	};
	return state;
};

export const upstreamBounds = (factory: UpstreamFactory): void => {
	test.each([
		[{ connections: 3, queue: 20 }, {}],
		[{ connections: 16, queue: 20 }, { max_connections: 3 }],
		[{ connections: 1, queue: 20 }, { max_connections: 3 }],
	])(
		"each address has so many connections, and as many wait: %j, %j",
		async (options, document) => {
			const first = gate();
			const second = gate();
			const urls = [await backend(first.script), await backend(second.script)];
			const { ask, failures } = bench(
				factory,
				urls.map(({ url }) => url),
				options,
				document,
			);
			const refused: string[] = [];
			const answers = Array.from({ length: 30 }, async () => {
				const { failure } = await ask();
				if (failure !== undefined) refused.push(failure);
				return failure;
			});
			await until(() => refused.length === 4, "what neither finds a place nor may wait is refused");
			await until(() => urls.every(({ connections }) => connections.length === 3), "all are open");
			first.open = true;
			second.open = true;
			const failed = (await Promise.all(answers)).filter((failure) => failure !== undefined);
			expect(failed).toEqual(Array.from({ length: 4 }, () => "queue_full"));
			expect(urls.map(({ connections }) => connections.length)).toEqual([3, 3]);
			expect(failures).toEqual([]);
		},
	);

	test("a place in the queue is free again after an abort, an answer and a timeout", async () => {
		const state = gate();
		const upstream = await backend(state.script);
		const options = { connections: 1, queue: 1, connectTimeoutMs: 50 };
		const { ask, probe } = bench(factory, [upstream.url], options);
		const busy = ask();
		await until(() => upstream.connections.length === 1, "the connection is taken");
		for (let round = 0; round < 3; round += 1) {
			const waiting = probe({});
			expect((await ask()).failure).toBe("queue_full");
			waiting.abort();
		}
		expect((await ask()).failure).toBe("timeout");
		const last = ask();
		expect((await ask()).failure).toBe("queue_full");
		state.open = true;
		expect((await busy).failure).toBeUndefined();
		expect((await last).failure).toBeUndefined();
		expect((await ask()).failure).toBeUndefined();
	});

	test("a failed connection makes room for who waits", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			if (connection.index < 3) connection.reset();
			else await answering(OK)(connection);
		});
		const { ask } = bench(factory, [upstream.url], { connections: 1, queue: 10 });
		// What breaks a fresh connection is not sent to the same address again.
		const answers = [ask(), ask(), ask()];
		for (const answer of answers) expect((await answer).failure).toBe("broken");
	});

	test("unused connections close: soon after a short hint, late after a long one", async () => {
		const closed: string[] = [];
		const upstream = await backend(async (connection) => {
			const { target } = await connection.readRequest();
			await until(() => upstream.connections.length === 3, "all three are busy");
			const hint = target === "/none" ? "" : `keep-alive: timeout=${target.slice(1)}, max=100\r\n`;
			connection.write(`HTTP/1.1 200 OK\r\n${hint}content-length: 2\r\n\r\nok`);
			await connection.closed;
			closed.push(target);
		});
		const { ask } = bench(factory, [upstream.url]);
		await Promise.all(["/2", "/none", "/60"].map((target) => ask({ target })));
		// The hint is 2 s, without one it is 4 s, and the last stays open.
		await until(() => closed.length > 0, "the short one closes");
		await until(() => closed.length > 1, "the one without hint closes");
		expect(closed).toEqual(["/2", "/none"]);
	});
};
