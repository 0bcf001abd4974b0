/** Upstream suite: requests that ask for another protocol, and what becomes of the connection. */
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, until } from "../probe.ts";
import type { Script } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const AGREED = "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: Foo\r\nX-A: 1\r\n\r\n";

/** Answers with `answer`, then as any backend, until the connection ends. */
const once =
	(answer: string): Script =>
	async (connection) => {
		await connection.readRequest();
		connection.write(answer);
		if (answer.startsWith("HTTP/1.1 101")) await connection.readToEnd();
		for (;;) {
			await connection.readRequest();
			connection.write(OK);
		}
	};

export const upstreamUpgrades = (factory: UpstreamFactory): void => {
	test("are asked for with both fields, and told with all lines", async () => {
		let head = "";
		const upstream = await backend(async (connection) => {
			({ head } = await connection.readRequest());
			connection.write(`${AGREED}more`);
			await connection.readToEnd();
		});
		const { probe } = bench(factory, [upstream.url]);
		const asking = probe({ upgrade: "foo, bar" });
		const { headers, passed, statusCode } = await asking.answer;
		expect(head.split("\r\n").slice(1).sort()).toEqual([
			"connection: upgrade",
			"host: example.test",
			"upgrade: foo, bar",
		]);
		expect(statusCode).toBe(101);
		expect(headers).toEqual([
			["connection", "Upgrade"],
			["upgrade", "Foo"],
			["x-a", "1"],
		]);
		expect(passed).toEqual([["X-A", "1"]]);
	});

	test("are dropped by an abort, and give their place back", async () => {
		const upstream = await backend(once(AGREED));
		const { probe, ask } = bench(factory, [upstream.url], { connections: 1 });
		const asking = probe({ upgrade: "foo" });
		await asking.answer;
		asking.upgraded?.abort();
		await upstream.connections[0]?.closed;
		expect((await ask({ upgrade: "foo" })).statusCode).toBe(101);
		expect(upstream.connections.length).toBe(2);
	});

	test("are aborted with their call, before and after the answer", async () => {
		let asked = 0;
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			asked += 1;
			await connection.readToEnd();
		});
		const { probe } = bench(factory, [upstream.url]);
		const asking = probe({ upgrade: "foo" });
		await until(() => asked === 1, "it has been asked");
		asking.abort();
		await upstream.connections[0]?.closed;
	});

	test.each([
		["200", OK],
		["426 in chunks", "HTTP/1.1 426 x\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"],
		["102 before it", `HTTP/1.1 102 x\r\n\r\n${OK}`],
	])("another answer is a response like any other: %s", async (_, answer) => {
		const upstream = await backend(once(answer));
		const { ask } = bench(factory, [upstream.url]);
		expect((await ask({ upgrade: "foo" })).body.toString()).toBe("ok");
		expect((await ask()).body.toString()).toBe("ok");
	});

	test("interim answers before the 101 are passed over", async () => {
		const upstream = await backend(once(`HTTP/1.1 103 x\r\nlink: x\r\n\r\n${AGREED}`));
		const { ask } = bench(factory, [upstream.url]);
		expect((await ask({ upgrade: "foo" })).statusCode).toBe(101);
	});

	test("a 101 that was not asked for breaks the request", async () => {
		const upstream = await backend(once(AGREED));
		const { ask } = bench(factory, [upstream.url]);
		expect((await ask()).failure).toBe("broken");
	});

	test("are tried again where a kept-alive connection breaks, and not where a fresh one does", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readRequest();
			if (connection.index > 0) {
				connection.write(AGREED);
				await connection.readToEnd();
				return;
			}
			connection.write(OK);
			await connection.readHead();
			connection.reset();
		});
		const heard = bench(factory, [upstream.url]);
		await heard.ask();
		expect((await heard.ask({ upgrade: "foo" })).statusCode).toBe(101);
		expect(heard.retries).toBe(1);
		const breaking = await backend(async (connection) => {
			await connection.readHead();
			connection.reset();
		});
		const alone = bench(factory, [breaking.url]);
		expect((await alone.ask({ upgrade: "foo" })).failure).toBe("broken");
		expect(alone.retries).toBe(0);
	});

	test("one that is not answered in time fails", async () => {
		const upstream = await backend(async (connection) => {
			await connection.readToEnd();
		});
		const { ask } = bench(factory, [upstream.url], { responseTimeoutMs: 100 });
		expect((await ask({ upgrade: "foo" })).failure).toBe("timeout");
	});
};
