/**
 * A change ends nothing in flight (contract 6, "Upstream"): a download, an upload and a tunnel go on through a hundred
 * changes of policies, routes, edges and backends, also while what they began with is deleted and made again.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
	type ClientRequest,
	createServer,
	type IncomingMessage,
	request,
	type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { type Server, startServer, startUpstream, type TestUpstream, until } from "./harness.ts";

const CHANGES = 100;
const PIECE = Buffer.alloc(10_000, "p");

/** A backend of one download, which it sends as it is told, one upload, which it counts, and a tunnel, which it echoes. */
class SlowBackend {
	readonly port: Promise<number>;
	uploaded = 0;
	#download: ServerResponse | undefined;
	#tunnel: Socket | undefined;
	readonly #server: ReturnType<typeof createServer>;

	constructor(tls: { cert: string; key: string } | undefined) {
		const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
			if (incoming.method === "GET") {
				this.#download = outgoing;
				outgoing.write(PIECE);
				return;
			}
			incoming.on("data", (data: Buffer) => {
				this.uploaded += data.length;
			});
			incoming.on("end", () => outgoing.end(`counted ${this.uploaded}`));
		};
		this.#server =
			tls === undefined
				? createServer(answer)
				: createTlsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, answer);
		this.#server.on("upgrade", (_incoming, socket: Socket) => {
			this.#tunnel = socket;
			socket.on("error", () => {});
			socket.write("HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n");
			socket.pipe(socket);
		});
		this.port = new Promise((resolve) => {
			this.#server.listen(0, "127.0.0.1", () =>
				resolve((this.#server.address() as AddressInfo).port),
			);
		});
	}

	send(): void {
		this.#download?.write(PIECE);
	}

	end(): void {
		this.#download?.end(PIECE);
	}

	close(): void {
		this.#tunnel?.destroy();
		this.#server.close();
		this.#server.closeAllConnections();
	}
}

/** A request whose body and answer take as long as the test. */
class LongRequest {
	readonly outgoing: ClientRequest;
	status = 0;
	bytes = 0;
	text = "";
	/** how it ended, once it has */
	end: string | undefined;

	constructor(port: number, path: string, method: string) {
		this.outgoing = request({ host: "127.0.0.1", port, path, method, agent: false });
		this.outgoing.on("error", ({ message }) => {
			this.end ??= message;
		});
		this.outgoing.on("response", (incoming) => {
			this.status = incoming.statusCode ?? 0;
			incoming.on("data", (data: Buffer) => {
				this.bytes += data.length;
				if (method === "PUT") this.text += data;
			});
			incoming.on("error", ({ message }) => {
				this.end ??= message;
			});
			incoming.on("end", () => {
				this.end ??= "whole";
			});
		});
	}
}

/** A connection that becomes a tunnel and is one for as long as the test takes. */
class LongTunnel {
	bytes = 0;
	/** how it ended, once it has */
	end: string | undefined;
	#socket: Socket | undefined;

	constructor(port: number, path: string) {
		const headers = { connection: "upgrade", upgrade: "echo" };
		const outgoing = request({ host: "127.0.0.1", port, path, headers, agent: false });
		outgoing.on("error", ({ message }) => {
			this.end ??= message;
		});
		outgoing.on("response", ({ statusCode }) => {
			this.end ??= `answered ${statusCode}`;
		});
		outgoing.on("upgrade", (_incoming, socket: Socket) => {
			this.#socket = socket;
			socket.write(PIECE);
			socket.on("data", (data) => {
				this.bytes += data.length;
			});
			socket.on("error", ({ message }) => {
				this.end ??= message;
			});
			socket.on("end", () => {
				this.end ??= "whole";
			});
		});
		outgoing.end();
	}

	send(): void {
		this.#socket?.write(PIECE);
	}

	close(): void {
		this.#socket?.end(PIECE);
	}
}

let server: Server;
let other: TestUpstream;
const folder = mkdtempSync(join(tmpdir(), "weir-changes-"));
beforeAll(async () => {
	server = await startServer({ workers: 2 });
	other = await startUpstream();
});
afterAll(async () => {
	await server?.cleanUp();
	await other?.close();
	rmSync(folder, { recursive: true, force: true });
});

const EDGE = "/edges/https/held";
const ROUTE = `${EDGE}/routes/r`;

describe.each(["plain", "TLS"])("behind a %s backend", (kind) => {
	it(`a download, an upload and a tunnel outlive ${CHANGES} changes of everything`, async () => {
		const isTls = kind === "TLS";
		const files = await writeCertificate(folder, "backend", "localhost");
		const backend = new SlowBackend(isTls ? files : undefined);
		const own = {
			urls: [`${isTls ? "https" : "http"}://127.0.0.1:${await backend.port}`],
			...(isTls ? { tls: { verify: false } } : {}),
		};
		const elsewhere = { urls: [`http://127.0.0.1:${other.port}`] };
		const change = (method: string, path: string, document?: unknown) => () =>
			server.api(method, path, document);
		const route = (to: object, match = "/held") =>
			change("PUT", ROUTE, { match_type: "path_prefix", match, backend: to });
		const policy = (rules: unknown) => change("PUT", `${ROUTE}/policy`, rules);
		const deny = { inbound: [{ actions: [{ type: "deny", config: { status_code: 403 } }] }] };
		const outbound = {
			outbound: [{ actions: [{ type: "custom-response", config: { content: "other" } }] }],
		};
		const make = [change("PUT", EDGE, { hostports: ["*"] }), route(own)];
		const changes = [
			policy(deny),
			route(elsewhere),
			policy(outbound),
			route({ ...own, response_timeout_ms: 1 }),
			change("DELETE", `${ROUTE}/policy`),
			route(own, "/elsewhere"),
			change("DELETE", ROUTE),
			...make,
			route({ urls: ["http://127.0.0.1:1"] }),
			policy(deny),
			change("DELETE", EDGE),
			change("PUT", EDGE, { hostports: ["other.example"] }),
			...make,
		];
		for (const each of make) await server.must(each());
		const down = new LongRequest(server.port, "/held/down", "GET");
		const up = new LongRequest(server.port, "/held/up", "PUT");
		const tunnel = new LongTunnel(server.port, "/held/tunnel");
		down.outgoing.end();
		up.outgoing.write(PIECE);
		let pieces = 1;
		const arrived = () =>
			until(
				() =>
					down.end ??
					up.end ??
					tunnel.end ??
					([down.bytes, backend.uploaded, tunnel.bytes].every(
						(bytes) => bytes >= pieces * PIECE.length,
					) ||
						undefined),
				`piece ${pieces}`,
			);
		expect(await arrived()).toBe(true);
		for (let number = 0; number < CHANGES; number++) {
			const answer = await changes[number % changes.length]?.();
			expect(answer?.status, `change ${number}`).toBeLessThan(300);
			backend.send();
			up.outgoing.write(PIECE);
			tunnel.send();
			pieces++;
			expect(await arrived(), `after change ${number}`).toBe(true);
		}
		backend.end();
		up.outgoing.end(PIECE);
		tunnel.close();
		pieces++;
		const all = [down, up, tunnel];
		await until(() => all.every(({ end }) => end !== undefined) || undefined, "all ends");
		const bytes = pieces * PIECE.length;
		expect([down.status, down.bytes, down.end]).toEqual([200, bytes, "whole"]);
		expect([up.status, up.text, up.end]).toEqual([200, `counted ${bytes}`, "whole"]);
		expect([tunnel.bytes, tunnel.end]).toEqual([bytes, "whole"]);
		backend.close();
	}, 60_000);
});
