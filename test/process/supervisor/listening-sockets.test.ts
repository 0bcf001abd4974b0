/** Real sockets on a free port; who accepts is seen by connections that wait in the kernel. */
import { once } from "node:events";

import { connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openListener } from "../../../src/http/inherited-listener.ts";
import { App } from "../../../src/http/uws.ts";
import { claimAddress } from "../../../src/process/config/address.ts";
import { ListeningSockets } from "../../../src/process/supervisor/listening-sockets.ts";
import { until } from "../../e2e/harness.ts";
import { listenerWith } from "../../listener.ts";

const opened: ListeningSockets[] = [];
const clients: Socket[] = [];
afterEach(() => {
	for (const client of clients.splice(0)) client.destroy();
	for (const sockets of opened.splice(0)) sockets.close();
});

async function socketsFor(workers: number) {
	const { port } = await claimAddress({ host: "127.0.0.1", port: 0 });
	const config = { listen: [listenerWith({ port })], workers };
	const sockets = new ListeningSockets(true);
	opened.push(sockets);
	await sockets.prepare(config);
	return { sockets, config, port };
}

const dials = async (port: number): Promise<string> => {
	const client = connect(port, "127.0.0.1");
	clients.push(client);
	const failed = once(client, "error").then(([{ code }]) => String(code));
	return Promise.race([failed, once(client, "connect").then(() => "connected")]);
};

it("where sockets can't be inherited it binds nothing", async () => {
	const sockets = new ListeningSockets(false);
	const config = { listen: [listenerWith({ host: "nowhere.invalid", port: 1 })], workers: 2 };
	await sockets.prepare(config);
	expect(sockets.of(config, 0)).toEqual([]);
	expect(sockets.listen(config, 0)).toBeUndefined();
});

describe.runIf(process.platform === "linux")("on Linux", () => {
	it("binds at once and listens when a worker is to accept", async () => {
		const { sockets, config, port } = await socketsFor(2);
		const [[one], [other]] = [sockets.of(config, 0).flat(), sockets.of(config, 1).flat()];
		expect(one).not.toBe(other);
		expect(await dials(port)).toBe("ECONNREFUSED");
		expect(sockets.listen(config, 0)).toBeUndefined();
		expect(await dials(port)).toBe("connected");
		sockets.keepOnly({ listen: [] });
		expect(await dials(port)).toBe("ECONNREFUSED");
	});

	it("what waits in a socket is accepted by whoever has it next; new connections go to others meanwhile", async () => {
		const { sockets, config, port } = await socketsFor(3);
		for (const worker of [0, 1, 2]) expect(sockets.listen(config, worker)).toBeUndefined();
		sockets.lead(3, (worker) => worker === 1);
		for (let client = 0; client < 30; client++) expect(await dials(port)).toBe("connected");
		const [fd = -1] = sockets.of(config, 1).flat();
		let accepted = 0;
		const app = App();
		const count = (_client: unknown, change: number): void => {
			if (change > 0) accepted++;
		};
		app.filter(count);
		await openListener(app, { host: "127.0.0.1", port }, fd, () => {});
		await until(() => accepted === 30 || undefined, "all that wait to be accepted");
		sockets.lead(3, (worker) => worker !== 1);
		for (let client = 0; client < 30; client++) expect(await dials(port)).toBe("connected");
		sockets.lead(3, () => true);
		expect(accepted).toBe(30);
		app.close();
	});

	it("fewer workers share the sockets of more; a reload that failed takes back its own", async () => {
		const { sockets, config } = await socketsFor(4);
		const fewer = { ...config, workers: 2 };
		const all = [0, 1, 2, 3].flatMap((worker) => sockets.of(config, worker).flat());
		expect([0, 1].flatMap((worker) => sockets.of(fewer, worker).flat()).sort()).toEqual(all.sort());
		const { sizes } = sockets;
		await sockets.prepare({ ...config, workers: 6 });
		expect(sockets.sizes).not.toEqual(sizes);
		sockets.goBackTo(sizes);
		expect(sockets.sizes).toEqual(sizes);
	});

	it("says in a sentence what can't be bound", async () => {
		const { port } = await claimAddress({ host: "127.0.0.1", port: 0 });
		const taken = createServer().listen({ port, host: "127.0.0.1", exclusive: true });
		await once(taken, "listening");
		const sockets = new ListeningSockets(true);
		const config = { listen: [listenerWith({ port })], workers: 1 };
		await expect(sockets.prepare(config)).rejects.toThrow(
			`cannot listen on 127.0.0.1:${port}: another process listens there`,
		);
		taken.close();
		const nowhere = { listen: [listenerWith({ host: "nowhere.invalid", port })], workers: 1 };
		await expect(sockets.prepare(nowhere)).rejects.toThrow("nowhere.invalid");
	});
});
