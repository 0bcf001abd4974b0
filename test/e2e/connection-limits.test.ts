/**
 * Contract 6: bounds on clients' connections, in all and of one address, hold over all workers and listeners; who is
 * beyond them is told, or closed where TLS comes first; a worker that was killed leaves no count behind.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { frameOf, LOCAL } from "../edge/frames.ts";
import { kill, type Server, startServer, until } from "./harness.ts";

const TOTAL = 8;
const PER_ADDRESS = 3;
const PROXY = "127.0.0.9";
const NAME = "bound.example";
const REQUEST = `GET / HTTP/1.1\r\nhost: ${NAME}\r\n\r\n`;
const folder = mkdtempSync(join(tmpdir(), "weir-limits-"));
let server: Server;

beforeAll(async () => {
	await writeCertificate(folder, NAME, NAME, [NAME]);
	const tls = { cert: `${folder}/${NAME}.crt`, key: `${folder}/${NAME}.key` };
	const address = "127.0.0.1:0";
	server = await startServer({
		workers: 2,
		config: {
			listen: [
				{ address },
				{ address, tls },
				{ address, proxy_protocol: true },
				{ address, tls, proxy_protocol: true },
			],
			trusted_proxies: [`${PROXY}/32`],
			limits: { connections: TOTAL, connections_per_address: PER_ADDRESS },
		},
	});
	await server.route(1);
	await server.policy({
		inbound: [
			{ actions: [{ type: "custom-response", config: { status_code: 200, content: "ok" } }] },
		],
	});
}, 30_000);
afterAll(async () => {
	await server?.cleanUp();
	rmSync(folder, { recursive: true, force: true });
});

class Client {
	received = "";
	isClosed = false;
	readonly socket: Socket;

	constructor(localAddress: string, listener = 0, frame = "") {
		const socket = connect({ port: server.ports[listener] ?? 0, host: "127.0.0.1", localAddress });
		if (frame !== "") socket.write(Buffer.from(frame, "latin1"));
		const isSecure = listener === 1 || listener === 3;
		this.socket = isSecure
			? connectTls({ socket, servername: NAME, rejectUnauthorized: false })
			: socket;
		for (const each of [socket, this.socket]) each.on("error", () => {});
		this.socket.on("data", (bytes: Buffer) => {
			this.received += bytes.toString("latin1");
		});
		this.socket.on("close", () => {
			this.isClosed = true;
		});
	}
	/** `served`, or how the connection ended */
	async outcome(): Promise<string> {
		this.socket.write(REQUEST);
		await until(() => this.received.endsWith("ok") || this.isClosed || undefined, "an outcome");
		if (this.received.endsWith("ok")) return "served";
		return this.received === "" ? "closed" : this.received;
	}
}

let clients: Client[] = [];
const open = async (localAddress: string, listener = 0, frame = ""): Promise<string> => {
	const client = new Client(localAddress, listener, frame);
	clients.push(client);
	return client.outcome();
};
const leave = async (left: readonly Client[]): Promise<void> => {
	for (const { socket } of left) socket.destroy();
	const stay = clients.filter((client) => !left.includes(client) && !client.isClosed).length;
	clients = clients.filter((client) => !left.includes(client));
	const series = 'weir_connections{side="data"}';
	await until(async () => (await server.metric(series)) === stay || undefined, "them to be gone");
};
afterEach(() => leave(clients));

const refusedBy = async (reason: string, listener: number): Promise<number> =>
	(await server.metric(
		`weir_connections_over_limit_total{reason="${reason}",listener="127.0.0.1:${server.ports[listener]}"}`,
	)) || 0;

async function fill(localAddress: string, listener = 0, frame = ""): Promise<void> {
	for (let n = 0; n < PER_ADDRESS; n++) {
		expect(await open(localAddress, listener, frame)).toBe("served");
	}
}

it("tells a client of one address too many, over both workers, and serves it when it has closed one", async () => {
	const before = await refusedBy("address", 0);
	await fill("127.0.0.1");
	for (let n = 0; n < 6; n++) {
		const answer = await open("127.0.0.1");
		const [head = "", body = ""] = answer.split("\r\n\r\n");
		expect(head.split("\r\n")[0]).toBe("HTTP/1.1 503 Service Unavailable");
		expect(head).toContain("connection: close");
		expect(JSON.parse(body)).toMatchObject({
			error_code: "ERR_TOO_MANY_CONNECTIONS",
			status_code: 503,
		});
	}
	expect(await open("127.0.0.2")).toBe("served");
	await until(
		async () => (await refusedBy("address", 0)) === before + 6 || undefined,
		"six to be counted",
	);
	const line = server.logLines().find(({ msg }) => String(msg).includes("connections_per_address"));
	expect(line).toMatchObject({ last: "127.0.0.1", most: PER_ADDRESS });
	await leave(clients.slice(0, 1));
	expect(await open("127.0.0.1")).toBe("served");
	expect(await open("127.0.0.1")).toContain("503");
});

it("closes where TLS comes first, before any handshake", async () => {
	await fill("127.0.0.1", 1);
	expect(await open("127.0.0.1", 1)).toBe("closed");
	expect(await open("127.0.0.1", 0)).toContain("503");
	await until(async () => (await refusedBy("address", 1)) > 0 || undefined, "it to be counted");
});

it("bounds all together, silent ones too", async () => {
	for (let n = 0; n < TOTAL; n++) clients.push(new Client(`127.0.1.${n}`));
	const series = 'weir_connections{side="data"}';
	await until(async () => (await server.metric(series)) === TOTAL || undefined, "all to be open");
	expect(await open("127.0.2.1")).toContain("503");
	expect(await open(PROXY)).toContain("503");
	await until(async () => (await refusedBy("total", 0)) > 1 || undefined, "them to be counted");
});

it("does not count a trusted proxy's", async () => {
	for (let n = 0; n < PER_ADDRESS + 2; n++) expect(await open(PROXY)).toBe("served");
});

it.each([2, 3])("counts whom a PROXY protocol header names: listener %d", async (listener) => {
	await fill("127.0.0.1", listener, frameOf("203.0.113.7"));
	const answer = await open("127.0.0.1", listener, frameOf("203.0.113.7"));
	if (listener === 2) expect(answer).toContain("503 Service Unavailable");
	else expect(answer).toBe("closed");
	expect(await open("127.0.0.1", listener, frameOf("203.0.113.8"))).toBe("served");
	// The same client without that proxy, and the proxy itself.
	for (let n = 0; n < PER_ADDRESS; n++) {
		expect(await open("127.0.0.1", listener, LOCAL)).toBe("served");
	}
});

it("takes a /64 as one", async () => {
	const inside = (end: string, network = "2001:db8:1:2"): string =>
		`PROXY TCP6 ${network}::${end} ::1 1000 2000\r\n`;
	for (let n = 1; n <= PER_ADDRESS; n++) {
		expect(await open("127.0.0.1", 2, inside(`${n}`))).toBe("served");
	}
	expect(await open("127.0.0.1", 2, inside("ffff"))).toContain("503");
	expect(await open("127.0.0.1", 2, inside("1", "2001:db8:1:3"))).toBe("served");
});

it("lets a crowd that is refused take no more than its answer, and serves others meanwhile", async () => {
	await fill("127.0.0.1");
	const crowd = Array.from({ length: 300 }, () => new Client("127.0.0.1"));
	clients.push(...crowd);
	expect(await open("127.0.0.3")).toBe("served");
	await until(
		() => crowd.every(({ isClosed, socket }) => isClosed || socket.readableEnded) || undefined,
		"all to be ended",
	);
	expect(crowd.some(({ received }) => received.includes("503"))).toBe(true);
});

it("forgets those of workers that are killed", async () => {
	for (let round = 0; round < 3; round++) {
		await fill("127.0.0.1");
		expect(await open("127.0.0.1")).toContain("503");
		const pids = server.workerPids();
		for (const pid of pids) kill(pid, "SIGKILL");
		await until(() => clients.every(({ isClosed }) => isClosed) || undefined, "all to be closed");
		clients = [];
		await until(async () => {
			const again = server.workerPids();
			return (again.length === 2 && !again.some((pid) => pids.includes(pid))) || undefined;
		}, "other workers");
		await until(
			() =>
				open("127.0.0.7").then(
					(outcome) => outcome === "served" || undefined,
					() => undefined,
				),
			"one to serve",
		);
		await leave(clients);
	}
	expect(statSync(join(server.folder, "data", "connections")).mode & 0o077).toBe(0);
}, 60_000);
