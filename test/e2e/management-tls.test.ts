/**
 * The management API with a certificate, beside a real server (contract 1, `SIGHUP`; contract 2, "Host"): renewed under
 * load without losing a change, and known by its names alone.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { KEY, type Server, send, startServer, until } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-api-tls-"));
const files = { cert: join(folder, "api.crt"), key: join(folder, "api.key") };
const tls = (name: string) => ({ tls: { cert: files.cert, key: files.key }, hosts: [name] });
let ca = "";
let server: Server;

async function renew(name: string): Promise<void> {
	ca = (await writeCertificate(folder, "api", name, [name])).pem;
}

const start = (management: object) => startServer({ workers: 1, config: { management } });

beforeAll(() => renew("first.test"));
afterEach(() => server?.cleanUp());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = (path: string, host: string, servername = host) =>
	send(server.managementPort, path, {
		headers: { host, authorization: `Bearer ${KEY}` },
		tls: { servername, ca },
	});

/** Waits for the line that ends a reload which began now. */
async function reload(): Promise<Record<string, unknown>> {
	const before = server.logLines().length;
	server.child.kill("SIGHUP");
	return until(
		() =>
			server
				.logLines()
				.slice(before)
				.find(({ msg }) => String(msg).match(/^config (?:not )?reloaded/)),
		"the reload",
	);
}

/** A connection that has sent the beginning of a PUT. */
async function halfPut(id: string): Promise<{ finish(): Promise<string>; socket: TLSSocket }> {
	const body = JSON.stringify({ hostports: [id] });
	const socket = connect({
		host: "127.0.0.1",
		port: server.managementPort,
		rejectUnauthorized: false,
	});
	let received = "";
	socket.on("data", (chunk) => {
		received += chunk;
	});
	socket.on("error", () => {});
	const lines = [
		`PUT /edges/https/${id} HTTP/1.1`,
		"host: localhost",
		`authorization: Bearer ${KEY}`,
		"content-type: application/json",
		`content-length: ${body.length}`,
		"expect: 100-continue",
	];
	socket.write(`${lines.join("\r\n")}\r\n\r\n`);
	await until(
		() => received.includes("100 Continue") || undefined,
		"the server to wait for the body",
	);
	socket.write(body.slice(0, 4));
	const finish = async () => {
		received = "";
		socket.write(body.slice(4));
		await until(() => received.includes("}") || undefined, "the answer to the PUT");
		return received;
	};
	return { finish, socket };
}

describe("TLS", () => {
	it("a renewed certificate is taken over at SIGHUP, and no PUT is lost", async () => {
		await renew("first.test");
		server = await start({ address: "127.0.0.1:0", ...tls("second.test") });
		expect((await ask("/edges/https", "first.test")).status).toBe(200);
		await expect(send(server.managementPort, "/healthz")).rejects.toThrow();
		const begun = await halfPut("begun.example");
		let puts = 0;
		let isOver = false;
		const many = (async () => {
			for (; !isOver; puts++) {
				const put = await halfPut(`edge-${puts}`);
				expect(await put.finish()).toMatch(/^HTTP\/1\.1 201 /);
				put.socket.destroy();
			}
		})();
		await renew("second.test");
		expect(await reload()).toMatchObject({ msg: "config reloaded" });
		expect((await ask("/edges/https", "second.test")).status).toBe(200);
		expect((await ask("/edges/https", "first.test", "second.test")).status).toBe(421);
		await until(() => (puts > 3 ? true : undefined), "more PUTs");
		isOver = true;
		await many;
		const answer = await begun.finish();
		expect(answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*^connection: close/im);
		begun.socket.destroy();
		const list = JSON.parse((await ask("/edges/https", "localhost", "second.test")).body);
		expect(list.edges).toHaveLength(puts + 1);
		// the server library would print a line for each name
		expect(server.stdout).toBe("");
	}, 60_000);

	it("a certificate that does not fit is refused at SIGHUP, and the old one stays", async () => {
		await renew("first.test");
		server = await start({ address: "127.0.0.1:0", ...tls("weir.test") });
		writeFileSync(files.key, "junk");
		expect(await reload()).toMatchObject({
			...{ level: "error", msg: "config not reloaded: it has mistakes" },
			mistakes: [expect.stringMatching(/tls\/key: \S+api\.key holds no private key in PEM$/)],
		});
		expect((await ask("/healthz", "first.test")).status).toBe(200);
	});
});

describe("names", () => {
	it("without one it answers to addresses and localhost; more come with SIGHUP, an address does not", async () => {
		server = await start({ address: "127.0.0.1:0" });
		const status = async (host: string) =>
			(await send(server.managementPort, "/healthz", { headers: { host } })).status;
		const port = server.managementPort;
		const hosts = [
			`127.0.0.1:${port}`,
			"[::1]",
			"LOCALHOST.:80",
			"weir.test",
			"weir.test.evil.test",
		];
		expect(await Promise.all(hosts.map(status))).toEqual([200, 200, 200, 421, 421]);
		const config = join(server.folder, "weir.json");
		const management = { address: "127.0.0.1:1", hosts: ["Weir.Test"] };
		const settings = {
			...{ listen: "127.0.0.1:0", data_dir: "data", workers: 1, management },
			log: { destination: server.logFile },
		};
		writeFileSync(config, JSON.stringify(settings));
		expect(await reload()).toMatchObject({ msg: "config reloaded" });
		expect(await Promise.all(hosts.map(status))).toEqual([200, 200, 200, 200, 421]);
		expect(server.logLines()).toContainEqual(
			expect.objectContaining({
				...{ level: "warn", setting: "management.address" },
				msg: "this setting changes only with a restart",
			}),
		);
	});
});

describe("a start on all interfaces", () => {
	it("warns without TLS, and does not with it", async () => {
		server = await start({ address: "0.0.0.0:0" });
		expect(server.stderr).toMatch(
			/^weir: \S+: \/management\/address: WARNING: the management API listens on 0\.0\.0\.0:0 without TLS: .*set management\.tls/,
		);
		await server.cleanUp();
		await renew("first.test");
		server = await start({ address: "0.0.0.0:0", ...tls("weir.test") });
		expect(server.stderr).not.toContain("WARNING");
	});
});
