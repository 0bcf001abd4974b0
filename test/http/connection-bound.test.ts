/** Beyond the bound connections are closed at once, counted, and said now and then; those before them stay. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionBound } from "../../src/http/connection-bound.ts";
import { App, SSLApp, type TemplatedApp, us_socket_local_port } from "../../src/http/uws.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { addon } from "../../src/native-addon.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { writeCertificate } from "../certificate.ts";

const REFUSED = 'weir_connections_refused_total{side="data"}';
const OPEN = 'weir_connections{side="data"}';

let folder = "";
const sockets: Socket[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-bound-"));
});
afterEach(() => {
	for (const socket of sockets.splice(0)) socket.destroy();
	rmSync(folder, { recursive: true });
});

function listening(app: TemplatedApp): Promise<number> {
	app.any("/*", (response) => {
		response.end("served");
	});
	return new Promise((resolve) => {
		app.listen("127.0.0.1", 0, (socket) => resolve(socket ? us_socket_local_port(socket) : 0));
	});
}

class Client {
	isClosed = false;
	received = "";
	readonly socket: Socket;

	constructor(port: number) {
		this.socket = connect(port, "127.0.0.1");
		sockets.push(this.socket);
		this.socket.on("error", () => {});
		this.socket.on("data", (bytes: Buffer) => {
			this.received += bytes.toString("latin1");
		});
		this.socket.on("close", () => {
			this.isClosed = true;
		});
	}
}

function setUp(most: number, clientEnd = 1_000_000) {
	const metrics = new Metrics();
	const log = { warn: vi.fn() };
	const clock = { nowMs: 0 };
	const now = () => clock.nowMs;
	const bound = new ConnectionBound({ side: "data", most, clientEnd, metrics, log, now });
	return { metrics, log, clock, bound };
}

describe.each(["plain", "TLS"])("a %s listener", (kind) => {
	it("closes what is too much, and lets the next one in when one has gone", async () => {
		const { cert, key } = await writeCertificate(folder, "site", "localhost");
		const app = kind === "TLS" ? SSLApp({ cert_file_name: cert, key_file_name: key }) : App();
		const { metrics, bound } = setUp(2);
		bound.guard(app);
		const port = await listening(app);
		const clients = Array.from({ length: 20 }, () => new Client(port));
		const open = () => clients.filter(({ isClosed }) => !isClosed);
		await vi.waitUntil(() => open().length === 2, { timeout: 10_000 });
		expect(metrics.snapshot()).toEqual({ [REFUSED]: 18, [OPEN]: 2 });
		const [first, second] = open();
		first?.socket.destroy();
		await vi.waitUntil(() => metrics.snapshot()[OPEN] === 1);
		const next = new Client(port);
		await vi.waitUntil(() => metrics.snapshot()[OPEN] === 2);
		if (kind === "plain") {
			next.socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
			await vi.waitUntil(() => next.received.endsWith("served"));
		}
		expect([second?.isClosed, next.isClosed]).toEqual([false, false]);
		app.close();
	});
});

it("is one for all listeners, and says once in a while how many it sent away", async () => {
	const { log, clock, bound } = setUp(0);
	const apps = [App(), App()];
	for (const app of apps) bound.guard(app);
	const [one = 0, other = 0] = await Promise.all(apps.map(listening));
	const gone = async (port: number) => {
		const client = new Client(port);
		await vi.waitUntil(() => client.isClosed);
	};
	await gone(one);
	await gone(other);
	clock.nowMs = LIMITS.refusalLogMs - 1;
	await gone(one);
	expect(log.warn.mock.calls.map(([fields]) => fields)).toEqual([
		{ side: "data", refused: 1, open: 0, most: 0 },
	]);
	clock.nowMs = LIMITS.refusalLogMs;
	await gone(other);
	expect(log.warn.mock.calls[1]?.[0]).toMatchObject({ refused: 3 });
	for (const app of apps) app.close();
});

it("sends clients away while descriptors are taken, however few clients there are", async () => {
	const { metrics, bound } = setUp(100, 1);
	const app = App();
	bound.guard(app);
	const client = new Client(await listening(app));
	await vi.waitUntil(() => client.isClosed);
	expect(metrics.snapshot()).toEqual({ [REFUSED]: 1, [OPEN]: 0 });
	app.close();
});

it("looks at descriptors now and then while there are enough, and at each connection while not", async () => {
	const look = vi.spyOn(addon, "lowestFreeDescriptor").mockReturnValue(5);
	const { metrics, bound } = setUp(100, 10);
	const app = App();
	bound.guard(app);
	const port = await listening(app);
	const open = async (clients: number) => {
		for (let client = 0; client < clients; client++) new Client(port);
		await vi.waitUntil(() => {
			const { [OPEN]: inside = 0, [REFUSED]: refused = 0 } = metrics.snapshot();
			return inside + refused === sockets.length;
		});
	};
	await open(17);
	expect(look).toHaveBeenCalledTimes(3);
	look.mockReturnValue(10);
	await open(8);
	expect(metrics.snapshot()).toMatchObject({ [REFUSED]: 1 });
	await open(3);
	expect(metrics.snapshot()).toMatchObject({ [REFUSED]: 4 });
	look.mockReturnValue(9);
	await open(1);
	expect(metrics.snapshot()).toEqual({ [REFUSED]: 4, [OPEN]: 25 });
	look.mockRestore();
	app.close();
});

it("counts the connections of each listener, over all its apps", async () => {
	const metrics = new Metrics();
	const bound = ConnectionBound.of("data", metrics, { warn: vi.fn() });
	const [one, next] = [App(), App()];
	for (const app of [one, next]) bound.guard(app, () => "127.0.0.1:1");
	const ports = await Promise.all([one, next].map(listening));
	const clients = ports.map((port) => new Client(port));
	const labels = '{listener="127.0.0.1:1"}';
	const [open, accepted] = [
		`weir_listener_connections${labels}`,
		`weir_listener_accepted_total${labels}`,
	];
	await vi.waitFor(() => expect(metrics.snapshot()).toMatchObject({ [open]: 2, [accepted]: 2 }));
	clients[0]?.socket.destroy();
	await vi.waitFor(() => expect(metrics.snapshot()).toMatchObject({ [open]: 1, [accepted]: 2 }));
	for (const app of [one, next]) app.close();
});
