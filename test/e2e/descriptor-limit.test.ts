/**
 * At the limit of descriptors (contract 1): more clients than there is room for are sent away instead of
 * waiting for ever; those inside are served, backends included; and idle clients of the management API
 * keep nobody from writing, a worker from coming back, or a log from being opened again.
 */
import { existsSync, renameSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharesOf } from "../../src/descriptors.ts";
import {
	KEY,
	kill,
	type Server,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const DESCRIPTORS = 256;
const CROWD = 300;

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 1, descriptors: DESCRIPTORS });
	await server.route(upstream.port);
});
afterAll(async () => {
	await server.cleanUp();
	await upstream.close();
});

class Client {
	isClosed = false;
	received = "";
	readonly #socket: Socket;

	constructor(port: number) {
		this.#socket = connect(port, "127.0.0.1");
		this.#socket.on("error", () => {});
		this.#socket.on("close", () => {
			this.isClosed = true;
		});
		this.#socket.on("data", (bytes: Buffer) => {
			this.received += bytes.toString("latin1");
		});
	}

	/** @returns the status */
	async send(request: string, end: string): Promise<string> {
		this.received = "";
		this.#socket.write(request);
		await until(() => this.received.includes(end) || undefined, `${end} in an answer`);
		return this.received.split(" ")[1] ?? "";
	}

	leave(): void {
		this.#socket.destroy();
	}
}

const crowd = (port: number): Client[] => Array.from({ length: CROWD }, () => new Client(port));
const inside = (clients: readonly Client[]): Client[] =>
	clients.filter(({ isClosed }) => !isClosed);

it("the data path keeps to its share of clients, and serves them all at once", async () => {
	const { clients: most } = sharesOf(DESCRIPTORS);
	const clients = crowd(server.port);
	await until(() => inside(clients).length <= most || undefined, "clients to be sent away");
	expect(inside(clients)).toHaveLength(most);
	let open = (): void => {};
	upstream.gate = new Promise((resolve) => {
		open = resolve;
	});
	const before = upstream.seen.length;
	const answers = inside(clients).map((client) =>
		client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n", "upstream"),
	);
	await until(() => upstream.seen.length - before === most || undefined, "a connection for each");
	open();
	expect(new Set(await Promise.all(answers))).toEqual(new Set(["200"]));
	expect(await server.metric('weir_connections_refused_total{side="data"}')).toBe(CROWD - most);
	for (const client of clients) client.leave();
	await until(
		async () => (await server.metric('weir_connections{side="data"}')) === 0 || undefined,
		"all clients to be gone",
	);
	expect((await server.get("/")).status).toBe(200);
});

it("the supervisor writes, forks and opens files beside a crowd at its management API", async () => {
	const put = (id: string): string => {
		const body = JSON.stringify({ hostports: [id] });
		const lines = [
			`PUT /edges/https/${id} HTTP/1.1`,
			"host: localhost",
			`authorization: Bearer ${KEY}`,
			"content-type: application/json",
			`content-length: ${body.length}`,
		];
		return `${lines.join("\r\n")}\r\n\r\n${body}`;
	};
	const early = new Client(server.managementPort);
	expect(await early.send(put("a"), "}")).toBe("201");
	const clients = crowd(server.managementPort);
	const { management: most } = sharesOf(DESCRIPTORS);
	await until(() => inside(clients).length < most || undefined, "clients to be sent away");
	const [pid = 0] = server.workerPids();
	kill(pid, "SIGKILL");
	await until(
		() => server.logLines().some(({ msg }) => msg === "worker started again") || undefined,
		"a new worker",
	);
	expect((await server.get("/")).status).toBe(200);
	expect(await early.send(put("b"), "}")).toBe("201");
	renameSync(server.logFile, `${server.logFile}.1`);
	server.child.kill("SIGUSR1");
	await until(() => existsSync(server.logFile) || undefined, "a new log file");
	for (const client of clients) client.leave();
	early.leave();
	await until(
		() =>
			server.metric('weir_connections_refused_total{side="management"}').then(
				(refused) => refused > 0 || undefined,
				() => undefined,
			),
		"clients to be counted",
	);
});
