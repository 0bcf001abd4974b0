/** Upstream suite: what an upstream says of its places and of the memory that bodies have. */
import { expect, test } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, ManualBody, until } from "../probe.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

export const upstreamLoad = (factory: UpstreamFactory): void => {
	test("places that are taken, and who waits for one", async () => {
		let open = false;
		const scripted = await backend(async (connection) => {
			for (;;) {
				await connection.readRequest();
				await until(() => open, "the gate opens");
				connection.write(OK);
			}
		});
		const { upstream, probe } = bench(factory, [scripted.url], { connections: 2 });
		const load = () => [upstream.occupancy, upstream.pressed];
		expect(load()).toEqual([0, 0]);
		const first = probe({});
		expect(load()).toEqual([0.5, 0]);
		const more = [probe({}), probe({}), probe({})];
		expect(load()).toEqual([2, 2]);
		expect([first.call.heldBytes, first.call.holdsPlace]).toEqual([0, true]);
		expect(upstream.takeStates()).toMatchObject({
			waiting: 2,
			addresses: [{ address: scripted.url, requests: 2, connections: 2, idle: 0, setAsideMs: 0 }],
		});
		more.at(-1)?.call.abort();
		await until(() => upstream.pressed === 1, "one has gone");
		open = true;
		await Promise.all([first, ...more.slice(0, 2)].map(({ answer }) => answer));
		await until(() => upstream.occupancy === 0, "all are through");
		expect(first.call.holdsPlace).toBe(false);
		expect(upstream.pressed).toBe(0);
		const [address] = upstream.takeStates().addresses;
		expect(address).toMatchObject({ requests: 1, connections: 2, idle: 2 });
	});

	test("addresses that are set aside, and for how long", async () => {
		const gone = await backend(async () => {});
		gone.close();
		const { upstream, probe } = bench(factory, [gone.url]);
		await probe({}).answer;
		const [address] = upstream.takeStates().addresses;
		expect(address).toMatchObject({ requests: 1, connections: 0 });
		expect(address?.setAsideMs).toBeGreaterThan(0);
	});

	test("memory of bodies that a backend doesn't take, until they are over", async () => {
		const scripted = await backend(async (connection) => {
			connection.socket.pause();
		});
		const { upstream, probe } = bench(factory, [scripted.url]);
		expect(upstream.bodyBytes).toBe(0);
		const body = new ManualBody(-1);
		const sent = probe({ method: "POST", body });
		await until(() => body.started, "the body is wanted");
		const chunk = Buffer.alloc(300_000);
		// The kernels take some MB before nobody takes more.
		while (upstream.bodyBytes < chunk.length) {
			if (!body.paused) body.push(chunk);
			await new Promise((resolve) => setImmediate(resolve));
		}
		sent.call.abort();
		await until(() => upstream.bodyBytes === 0, "it is given back");
	});
};
