/** Upstream suite: keep-alive, bounds, the queue, round robin, and that answers never cross. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, until } from "../probe.ts";
import { answering, type ScriptedConnection } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

const turns = async (count: number): Promise<void> => {
	for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const upstreamConnections = (factory: UpstreamFactory): void => {
	test("requests one after another share a connection", async () => {
		const upstream = await backend(answering(OK));
		const { ask } = bench(factory, [upstream.url]);
		for (let round = 0; round < 20; round += 1) {
			expect((await ask({ method: round % 2 ? "GET" : "POST" })).body.toString()).toBe("ok");
		}
		expect(upstream.connections.length).toBe(1);
	});

	test("never opens more connections than allowed; the rest wait in order", async () => {
		const order: string[] = [];
		const upstream = await backend(async (connection) => {
			for (;;) {
				order.push((await connection.readRequest()).target);
				await turns(2);
				connection.write(OK);
			}
		});
		const { ask } = bench(factory, [upstream.url], { connections: 3, queue: 100 });
		const targets = Array.from({ length: 50 }, (_, index) => `/${index}`);
		const answers = await Promise.all(targets.map((target) => ask({ target })));
		expect(answers.every(({ failure }) => failure === undefined)).toBe(true);
		expect(upstream.connections.length).toBe(3);
		// Three are under way at once, so nothing can be overtaken by more than two.
		for (const [index, target] of order.entries()) {
			expect(Math.abs(Number(target.slice(1)) - index)).toBeLessThanOrEqual(3);
		}
	});

	test("refuses what the queue cannot hold, and serves what it holds", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			await until(() => refused.length === 5, "the queue overflows");
			connection.write(OK);
			await answering(OK)(connection);
		});
		const refused: string[] = [];
		const { ask, failures } = bench(factory, [upstream.url], { connections: 2, queue: 3 });
		const answers = await Promise.all(
			Array.from({ length: 10 }, async () => {
				const { failure } = await ask();
				if (failure !== undefined) refused.push(failure);
				return failure;
			}),
		);
		expect(refused).toEqual(Array.from({ length: 5 }, () => "queue_full"));
		expect(answers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => undefined));
		expect(failures).toEqual([]);
	});

	test("a response that says close is the connection's last", async () => {
		const upstream = await backend(
			answering("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"),
		);
		const { ask } = bench(factory, [upstream.url]);
		for (let round = 0; round < 5; round += 1) expect((await ask()).body.toString()).toBe("ok");
		expect(upstream.connections.length).toBe(5);
	});

	test("takes turns over the addresses", async () => {
		const hits = new Map<string, number>();
		const urls: string[] = [];
		for (const name of ["a", "b", "c"]) {
			const script = answering(() => {
				hits.set(name, (hits.get(name) ?? 0) + 1);
				return OK;
			});
			urls.push((await backend(script)).url);
		}
		const { ask } = bench(factory, urls);
		for (let round = 0; round < 9; round += 1) await ask();
		expect([...hits.values()]).toEqual([3, 3, 3]);
	});

	test("an address without a free connection is passed over", async () => {
		const stuck = await backend(async (connection) => {
			await connection.readRequest();
			await connection.closed;
		});
		const good = await backend(answering(OK));
		const { probe, ask } = bench(factory, [stuck.url, good.url], { connections: 1 });
		probe({});
		for (let round = 0; round < 6; round += 1) expect((await ask()).failure).toBeUndefined();
	});

	test("answers never cross, whatever order and pieces they come in", async () => {
		const answer = async (connection: ScriptedConnection): Promise<void> => {
			const { target } = await connection.readRequest();
			const [, id = "", delay = "", cut = ""] = target.split("/");
			const text = `HTTP/1.1 200 OK\r\nx-id: ${id}\r\ncontent-length: ${id.length}\r\n\r\n${id}`;
			await turns(Number(delay));
			await connection.drain(Buffer.from(text.slice(0, Number(cut))));
			await turns(Number(delay) % 3);
			connection.write(text.slice(Number(cut)));
		};
		const upstream = await backend(async (connection) => {
			for (;;) await answer(connection);
		});
		const { ask, probe } = bench(factory, [upstream.url, upstream.url], { connections: 4 });
		const one = fc.record({
			delay: fc.nat(8),
			cut: fc.integer({ min: 1, max: 60 }),
			abort: fc.boolean(),
		});
		let next = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 30 }), async (requests) => {
				const checks = requests.map(async ({ delay, cut, abort }) => {
					next += 1;
					const id = String(next);
					const target = `/${id}/${delay}/${cut}`;
					if (abort) {
						const given = probe({ target });
						await turns(delay);
						given.abort();
						return;
					}
					const { body, headers, failure } = await ask({ target });
					expect(failure).toBeUndefined();
					expect(body.toString()).toBe(id);
					expect(headers[0]).toEqual(["x-id", id]);
				});
				await Promise.all(checks);
			}),
			{ numRuns: 60 },
		);
	});

	test("closing ends idle connections at once and busy ones when they are done", async () => {
		let finish = false;
		const upstream = await backend(async (connection) => {
			for (;;) {
				const { target } = await connection.readRequest();
				if (target === "/slow") await until(() => finish, "the test lets it finish");
				connection.write(OK);
			}
		});
		const { ask, upstream: pool } = bench(factory, [upstream.url]);
		const slow = ask({ target: "/slow" });
		await ask();
		await ask();
		let closed = false;
		const closing = pool.close().then(() => {
			closed = true;
		});
		const idle = upstream.connections.find(({ index }) => index === 1);
		await idle?.closed;
		expect(closed).toBe(false);
		expect((await ask()).body.toString()).toBe("ok");
		finish = true;
		expect((await slow).body.toString()).toBe("ok");
		await closing;
		for (const connection of upstream.connections) await connection.closed;
	});
};
