/**
 * Slow clients beside others, over the real server (contract 6): a backend of eight connections that dripping
 * uploads and slow readers want for themselves, and backends that read nothing of what they are sent. Everybody
 * comes from one address. `scripts/attacks.mjs` does the same with hundreds, also to other proxies.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Server, send, startServer, until } from "./harness.ts";

const MIB = 1_048_576;
const PLACES = 8;
const BODY_MEMORY = 16 * MIB;

let server: Server;
const sockets: Socket[] = [];
const big = Buffer.alloc(24 * MIB, "x");
const upload = big.subarray(0, 16 * MIB);
const http = createServer((incoming, outgoing) => {
	if (incoming.url?.startsWith("/deaf")) return;
	if (incoming.url === "/big") outgoing.end(big);
	else incoming.resume().on("end", () => outgoing.end("small"));
});

beforeAll(async () => {
	server = await startServer({
		workers: 1,
		config: { limits: { body_memory_bytes: BODY_MEMORY } },
	});
	http.listen(0, "127.0.0.1");
	await new Promise((resolve) => http.once("listening", resolve));
	const { port } = http.address() as AddressInfo;
	// Time for all who wait before them to have had their turn.
	await server.route(port, { max_connections: PLACES, connect_timeout_ms: 20_000 });
	for (const name of ["deaf1", "deaf2", "deaf3"]) {
		await server.must(
			server.api("PUT", `/edges/https/e/routes/${name}`, {
				match_type: "path_prefix",
				match: `/${name}`,
				// Another document, so another backend.
				backend: { urls: [`http://127.0.0.1:${port}`], host_header: name },
			}),
		);
	}
});
afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.resetAndDestroy();
	await until(async () => {
		const inFlight = await server.metric("weir_requests_in_flight");
		return inFlight === 0 ? true : undefined;
	}, "the slow clients' requests to end");
});
afterAll(async () => {
	await server?.cleanUp();
	http.closeAllConnections();
	http.close();
});

const client = (bytes: string): Socket => {
	const socket = connect(server.port, "127.0.0.1");
	socket.on("error", () => {}).write(bytes);
	sockets.push(socket);
	return socket;
};
const clients = (count: number, bytes: string): Socket[] =>
	Array.from({ length: count }, () => client(bytes));

const begun = (count: number) =>
	until(async () => {
		const inFlight = await server.metric("weir_requests_in_flight");
		return inFlight >= count ? true : undefined;
	}, `${count} slow clients to be there`);

/** GETs and uploads, a body in one piece and one in many. */
const others = (count: number): Promise<Answer[]> =>
	Promise.all(
		Array.from({ length: count }, (_, index) =>
			index % 3 === 0
				? send(server.port, "/small")
				: send(server.port, "/small", {
						method: "POST",
						body: Buffer.alloc(index % 3 === 1 ? 1000 : 300_000),
					}),
		),
	);

describe("others are served", () => {
	it("while uploads drip: those hold no place before enough of them is there", async () => {
		clients(40, "POST /drip HTTP/1.1\r\nhost: h\r\ncontent-length: 1000\r\n\r\nx");
		await begun(40);
		const answers = await others(60);
		expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
	});

	it("while uploads drip that were quick at first", async () => {
		const head = "POST /drip HTTP/1.1\r\nhost: h\r\ncontent-length: 200000\r\n\r\n";
		clients(40, head + "x".repeat(100_000));
		await begun(40);
		const answers = await others(30);
		expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
		const ended = 'weir_slow_clients_total{direction="upload",reason="place"}';
		expect(await server.metric(ended)).toBeGreaterThan(0);
		const lines = server.logLines().filter(({ msg }) => msg === "slow client ended");
		expect(lines[0]).toMatchObject({ route: "r", client_ip: "127.0.0.1", direction: "upload" });
	});

	it("while readers don't read", async () => {
		for (const socket of clients(40, "GET /big HTTP/1.1\r\nhost: h\r\n\r\n")) socket.pause();
		await begun(40);
		const answers = await others(30);
		expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
	});
});

describe("uploads to backends that read nothing", () => {
	/** Resident bytes of the worker. */
	const resident = (): number => {
		const [pid] = server.workerPids();
		const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
		return Number(kilobytes) * 1024;
	};

	it("take no more memory than there is for bodies, and the others' uploads are served", async () => {
		const before = resident();
		const statuses: string[] = [];
		let most = 0;
		// Each fills what the kernels hold for it, some MB; all of them want 120 times the memory for bodies.
		for (const name of ["deaf1", "deaf2", "deaf3"]) {
			for (let number = 0; number < 40; number++) {
				const socket = client(
					`POST /${name} HTTP/1.1\r\nhost: h\r\ncontent-length: ${upload.length}\r\n\r\n`,
				);
				socket.write(upload);
				socket.on("data", (data) => {
					statuses.push(data.toString("latin1").split("\r\n\r\n")[0] ?? "");
				});
			}
			let last = -1;
			await until(async () => {
				const now = sockets.reduce((sum, socket) => sum + socket.writableLength, 0);
				const isStill = now === last;
				last = now;
				most = Math.max(most, resident());
				await new Promise((resolve) => setTimeout(resolve, 100));
				return isStill ? true : undefined;
			}, "the uploads to stand still");
		}
		const answers = await others(30);
		expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
		most = Math.max(most, resident());
		// Of each request in flight the edge keeps some KB besides.
		expect(most - before).toBeLessThan(4 * BODY_MEMORY);
		for (const head of statuses) {
			expect(head).toMatch(/^HTTP\/1\.1 503 /);
			expect(head).toContain("retry-after: 1");
		}
	});
});
