/**
 * How workers end (contract 1, "Start, stop, reload"): `timeouts.drain_ms` bounds what is in flight, 0 does not; a
 * client that has connected and not asked yet is waited for; a supervisor that is killed leaves nothing behind that the
 * next start would meet.
 */
import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { refuses, type Server, startServer, until } from "./harness.ts";

let held: ServerResponse | undefined;
const allHeld = new Set<ServerResponse>();
const backend = createServer((incoming, outgoing) => {
	if (incoming.url !== "/held") {
		outgoing.end("at once");
		return;
	}
	outgoing.write("begun");
	held = outgoing;
	allHeld.add(outgoing);
});
beforeAll(async () => {
	await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
	backend.closeAllConnections();
	backend.close();
});

const servers: Server[] = [];
async function started(drainMs: number, folder?: string): Promise<Server> {
	const config = { timeouts: { drain_ms: drainMs } };
	const server = await startServer({
		workers: 2,
		config,
		...(folder === undefined ? {} : { folder }),
	});
	servers.push(server);
	if (folder === undefined) await server.route((backend.address() as AddressInfo).port);
	return server;
}
afterEach(async () => {
	for (const each of allHeld) each.destroy();
	allHeld.clear();
	held = undefined;
	for (const server of servers.splice(0)) await server.cleanUp();
});

/** A download that goes on until the backend ends it. */
async function download(server: Server): Promise<{ text: string; end: Promise<string> }> {
	const seen = { text: "", end: Promise.resolve("") };
	await new Promise<void>((begun) => {
		seen.end = new Promise((resolve) => {
			request({ host: "127.0.0.1", port: server.port, path: "/held", agent: false }, (incoming) => {
				incoming.on("data", (data: Buffer) => {
					seen.text += data;
					begun();
				});
				incoming.on("error", (error: NodeJS.ErrnoException) => resolve(String(error.message)));
				incoming.on("end", () => resolve("whole"));
			})
				.on("error", (error) => resolve(error.message))
				.end();
		});
	});
	return seen;
}

const said = (server: Server, message: string) =>
	until(() => server.logLines().find(({ msg }) => msg === message), message);

it("what takes longer than drain_ms is cut behind all that was sent, counted and logged", async () => {
	const server = await started(300);
	const client = connect(server.port, "127.0.0.1");
	client.write("GET /held HTTP/1.1\r\nhost: a\r\n\r\n");
	let text = "";
	client.setEncoding("latin1");
	client.on("data", (data) => {
		text += data;
	});
	await until(() => text.includes("begun") || undefined, "the beginning of a download");
	server.replaceWorkers();
	// An end and not a reset, which could take away what was sent before; without the last chunk.
	const [isReset] = await once(client, "close");
	expect(isReset).toBe(false);
	expect(text.slice(text.indexOf("\r\n\r\n"))).toMatch(/^\r\n\r\n5\r\nbegun(?:\r\n)?$/);
	const cut = "requests were cut: they took longer than timeouts.drain_ms";
	expect(await said(server, cut)).toMatchObject({ level: "warn", requests: 1 });
	await server.replaced();
	expect(await server.metric("weir_drain_cut_total")).toBe(1);
});

it("drain_ms: 0 waits as long as it takes, at a reload and at a stop; reloads don't wait for it", async () => {
	const server = await started(0);
	const seen = await download(server);
	for (let reload = 1; reload <= 2; reload++) {
		server.replaceWorkers();
		await until(
			() =>
				server.logLines().filter(({ msg }) => msg === "config reloaded").length === reload ||
				undefined,
			`reload ${reload}`,
		);
	}
	await server.replaced(1);
	server.child.kill("SIGTERM");
	await until(async () => (await refuses(server.port)) || undefined, "nobody to listen");
	expect(server.child.exitCode).toBeNull();
	held?.end(" and ended");
	expect(await seen.end).toBe("whole");
	expect(seen.text).toBe("begun and ended");
	expect(await server.exited).toBe(0);
});

it("a client that has connected and not asked yet is answered by the worker that leaves", async () => {
	const server = await started(5000);
	const clients = Array.from({ length: 8 }, () => connect(server.port, "127.0.0.1"));
	await Promise.all(clients.map((client) => once(client, "connect")));
	const answers = clients.map(async (client) => {
		let text = "";
		client.setEncoding("latin1");
		for await (const data of client) text += data;
		return text;
	});
	server.child.kill("SIGTERM");
	await until(async () => (await refuses(server.port)) || undefined, "nobody to listen");
	for (const client of clients) client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
	for (const text of await Promise.all(answers)) {
		expect(text).toMatch(/^HTTP\/1\.1 200 /);
		expect(text).toMatch(/\r\nconnection: close\r\n/i);
	}
	expect(await server.exited).toBe(0);
});

it("a killed supervisor's workers finish what they have and end, and the next start takes over", async () => {
	const server = await started(20_000);
	const seen = await download(server);
	const pids = server.workerPids();
	server.child.kill("SIGKILL");
	await server.exited;
	const { port, managementPort } = server;
	await until(async () => (await refuses(port)) || undefined, "nobody to listen");
	const next = await startServer({
		folder: server.folder,
		workers: 2,
		config: {
			listen: `127.0.0.1:${port}`,
			management: { address: `127.0.0.1:${managementPort}` },
		},
	});
	servers.push(next);
	expect((await next.get("/")).body).toBe("at once");
	held?.end(" and ended");
	expect(await seen.end).toBe("whole");
	const isGone = (pid: number): boolean => {
		try {
			process.kill(pid, 0);
			return false;
		} catch {
			return true;
		}
	};
	await until(() => pids.every(isGone) || undefined, "the old workers to end");
});
