/**
 * Contract 4: the address in a connection's PROXY protocol header is the client's, on every worker, plain and
 * TLS; and no client can say another one, whatever it sends behind the header of the proxy in front of it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { frameOf, LOCAL, lineOf } from "../edge/frames.ts";
import { RawClient } from "../edge/harness.ts";
import { type Haproxy, hasHaproxy, startHaproxy } from "./haproxy.ts";
import { type Server, startServer, startUpstream, type TestUpstream, until } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-proxied-"));
const NAME = "proxied.example";
let server: Server;
let upstream: TestUpstream;

const LIMIT = {
	inbound: [
		{
			expressions: ["req.url.path.startsWith('/limited')"],
			actions: [
				{
					type: "rate-limit",
					config: { capacity: 2, rate: "600s", bucket_key: ["conn.client_ip"] },
				},
			],
		},
	],
};

beforeAll(async () => {
	await writeCertificate(folder, NAME, NAME, [NAME]);
	const tls = { cert: `${folder}/${NAME}.crt`, key: `${folder}/${NAME}.key` };
	upstream = await startUpstream();
	server = await startServer({
		workers: 2,
		config: {
			listen: [
				{ address: "127.0.0.1:0", proxy_protocol: true },
				{ address: "127.0.0.1:0", proxy_protocol: true, tls },
			],
			log: { access: true },
		},
	});
	await server.route(upstream.port);
	await server.policy(LIMIT);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
	rmSync(folder, { recursive: true });
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: h.test\r\n\r\n`;
const statusOf = async (client: RawClient): Promise<number> => (await client.response()).status;

/** @param localAddress one of loopback's, by which HAProxy tells clients apart */
function dial(
	port: number,
	tls: boolean,
	beginning: string,
	localAddress = "127.0.0.1",
): RawClient {
	const socket: Socket = connect({ port, host: "127.0.0.1", localAddress });
	if (beginning !== "") socket.write(Buffer.from(beginning, "latin1"));
	if (!tls) return new RawClient(0, socket);
	socket.on("error", () => {});
	return new RawClient(0, connectTls({ socket, servername: NAME, rejectUnauthorized: false }));
}

/** what the upstream was told of requests below a path */
const forwarded = (path: string): string[] =>
	upstream.seen
		.filter(({ target }) => target.startsWith(path))
		.map(({ headers }) => String(headers["x-forwarded-for"]));

/** Fifty requests: half of them with nothing before them, the others behind a frame with ever another address. */
async function attack(path: string, open: () => RawClient): Promise<number[]> {
	const statuses: number[] = [];
	for (let index = 0; index < 25; index++) {
		const client = open();
		statuses.push(await statusOf(client.send(get(path))));
		client.send(frameOf(`198.51.100.${index}`) + get(path));
		statuses.push(await statusOf(client));
		await client.untilClosed();
	}
	return statuses;
}

const admitted = (statuses: readonly number[]): number =>
	statuses.filter((status) => status === 200).length;

describe.each([
	["plain", 0, false],
	["TLS", 1, true],
] as const)("raw frames, %s", (name, listener, tls) => {
	const open = (beginning: string) => dial(server.ports[listener] ?? 0, tls, beginning);

	it("each client has a limit of its own, over both workers", async () => {
		const path = `/limited/${name}`;
		const clients = Array.from({ length: 12 }, (_, index) => `203.0.113.${index + 50 * listener}`);
		for (const address of clients) {
			const statuses: number[] = [];
			for (const beginning of [frameOf(address), lineOf(address), frameOf(address)]) {
				const client = open(beginning);
				statuses.push(
					await statusOf(client.send(get(path))),
					await statusOf(client.send(get(path))),
				);
				client.destroy();
			}
			expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
		}
		expect(forwarded(path)).toEqual(clients.flatMap((address) => [address, address]));
		await until(() => {
			const own = [...server.logLines()].filter((line) => line.path === path);
			return new Set(own.map(({ pid }) => pid)).size === 2 ? true : undefined;
		}, "both workers to have answered");
	});

	it("a client that sends frames of its own has one limit", async () => {
		const path = `/limited/${name}-attack`;
		const statuses = await attack(path, () => open(frameOf(`203.0.113.${200 + listener}`)));
		expect(statuses).toHaveLength(50);
		expect(admitted(statuses)).toBe(2);
		expect(new Set(forwarded(path))).toEqual(new Set([`203.0.113.${200 + listener}`]));
	});

	it("LOCAL is the proxy itself, and no frame is no connection", async () => {
		const before = await server.metric("weir_proxy_frames_refused_total");
		const local = open(LOCAL);
		expect(await statusOf(local.send(get(`/local/${name}`)))).toBe(200);
		local.destroy();
		expect(forwarded(`/local/${name}`)).toEqual(["127.0.0.1"]);
		const none = open("").send(get(`/none/${name}`));
		await none.untilClosed();
		expect(none.received).toBe("");
		await until(async () => {
			const after = await server.metric("weir_proxy_frames_refused_total");
			return after - (before || 0) === 1 ? true : undefined;
		}, "the refusal to be counted");
	});
});

describe.skipIf(!hasHaproxy())("behind HAProxy", () => {
	const options = {
		"send-proxy": "send-proxy",
		"send-proxy-v2": "send-proxy-v2",
		"send-proxy-v2 with TLVs and checks":
			"send-proxy-v2 proxy-v2-options crc32c,unique-id check check-send-proxy inter 100ms",
	};
	const ways = Object.entries(options).flatMap(([name, each]) =>
		[0, 1]
			// Checks speak no TLS.
			.filter((listener) => listener === 0 || !each.includes("check"))
			.map((listener) => ({ name, listener, options: each })),
	);
	let haproxy: Haproxy;

	beforeAll(async () => {
		haproxy = await startHaproxy(
			folder,
			ways.map((way) => ({ port: server.ports[way.listener] ?? 0, options: way.options })),
		);
	});
	afterAll(() => haproxy?.close());

	it.each(
		ways.map((way, index) => [way.name, way.listener === 1 ? "TLS" : "plain", index] as const),
	)("%s, %s: 2 of 50 are admitted, and others meanwhile", async (_name, kind, index) => {
		const path = `/limited/way${index}`;
		const dialFrom = (address: string) =>
			dial(haproxy.ports[index] ?? 0, kind === "TLS", "", address);
		const statuses = await attack(path, () => dialFrom(`127.0.1.${index}`));
		expect(statuses).toHaveLength(50);
		expect(admitted(statuses)).toBe(2);
		const other = dialFrom(`127.0.2.${index}`);
		expect(await statusOf(other.send(get(path)))).toBe(200);
		other.destroy();
		expect(forwarded(path)).toEqual([`127.0.1.${index}`, `127.0.1.${index}`, `127.0.2.${index}`]);
	});

	it("its checks are its own requests", async () => {
		await until(() => (forwarded("/health").length > 1 ? true : undefined), "checks");
		expect(new Set(forwarded("/health"))).toEqual(new Set(["127.0.0.1"]));
	});
});
