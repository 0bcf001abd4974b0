/**
 * A change ends no request in flight (contract 6, "Upstream"): a download and an upload go on through a hundred
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
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { type Server, startServer, startUpstream, type TestUpstream, until } from "./harness.ts";

const CHANGES = 100;
const PIECE = Buffer.alloc(10_000, "p");

/** A backend of one download, which it sends as it is told, and one upload, which it counts. */
class SlowBackend {
	readonly port: Promise<number>;
	uploaded = 0;
	#download: ServerResponse | undefined;
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
	it(`a download and an upload outlive ${CHANGES} changes of everything`, async () => {
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
		down.outgoing.end();
		up.outgoing.write(PIECE);
		let pieces = 1;
		const arrived = () =>
			until(
				() =>
					down.end ??
					up.end ??
					((down.bytes >= pieces * PIECE.length && backend.uploaded >= pieces * PIECE.length) ||
						undefined),
				`piece ${pieces}`,
			);
		expect(await arrived()).toBe(true);
		for (let number = 0; number < CHANGES; number++) {
			const answer = await changes[number % changes.length]?.();
			expect(answer?.status, `change ${number}`).toBeLessThan(300);
			backend.send();
			up.outgoing.write(PIECE);
			pieces++;
			expect(await arrived(), `after change ${number}`).toBe(true);
		}
		backend.end();
		up.outgoing.end(PIECE);
		pieces++;
		await until(() => (down.end !== undefined && up.end !== undefined) || undefined, "both ends");
		const bytes = pieces * PIECE.length;
		expect([down.status, down.bytes, down.end]).toEqual([200, bytes, "whole"]);
		expect([up.status, up.text, up.end]).toEqual([200, `counted ${bytes}`, "whole"]);
		backend.close();
	}, 60_000);
});
