/**
 * Real proxies before weir, as their packages and manuals set them up: nginx with its defaults (HTTP/1.0, a connection
 * a request), with kept connections, and with PROXY protocol; HAProxy with checks without a host, shared connections,
 * and both versions of PROXY protocol. Of a thousand requests with bodies both ways none may fail.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EchoUpstream, failuresOf, startEcho } from "./echo.ts";
import { type Haproxy, hasHaproxy, startHaproxy } from "./haproxy.ts";
import { type Server, startServer, until } from "./harness.ts";
import { hasStreamModule, type Nginx, STREAM_MODULE, startNginx } from "./nginx.ts";
import { freePort, isInstalled } from "./programs.ts";

const REQUESTS = 1000;
const folder = mkdtempSync(join(tmpdir(), "weir-peers-"));
let upstream: EchoUpstream;
let server: Server;
beforeAll(async () => {
	upstream = await startEcho();
	server = await startServer({
		config: {
			listen: [{ address: "127.0.0.1:0" }, { address: "127.0.0.1:0", proxy_protocol: true }],
		},
	});
	await server.route(upstream.port);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
	rmSync(folder, { recursive: true });
});

const plain = (): number => server.ports[0] ?? 0;
const framed = (): number => server.ports[1] ?? 0;

/** Whom weir took for the clients of requests below a path. */
const clients = (path: string): Set<unknown> =>
	new Set(
		upstream.seen
			.filter(({ target }) => target.startsWith(`${path}/`))
			.map(({ headers }) => headers["x-forwarded-for"]),
	);

async function allArrive(port: number, path: string, address = "127.0.0.1"): Promise<void> {
	expect(await failuresOf(REQUESTS, port, path, address)).toEqual([]);
	expect(upstream.seen.filter(({ target }) => target.startsWith(`${path}/`))).toHaveLength(
		REQUESTS,
	);
}

describe.skipIf(!isInstalled("nginx", "-v", "weir is not tried behind it"))("behind nginx", () => {
	it("with its defaults: HTTP/1.0, and a connection for each request", async () => {
		const port = await freePort();
		const http = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${plain()}; } }`;
		const nginx: Nginx = await startNginx(join(folder, "defaults"), [port], http);
		try {
			await allArrive(port, "/defaults");
			const [first] = upstream.seen.filter(({ target }) => target === "/defaults/0");
			expect(first?.headers).toMatchObject({ host: `127.0.0.1:${plain()}`, via: "1.0 weir" });
		} finally {
			await nginx.close();
		}
	});

	it("with HTTP/1.1, kept connections, and bodies as they come", async () => {
		const port = await freePort();
		const http = `upstream weir { server 127.0.0.1:${plain()}; keepalive 8; }
			server { listen 127.0.0.1:${port}; location / {
				proxy_pass http://weir; proxy_http_version 1.1; proxy_set_header Connection "";
				proxy_request_buffering off; proxy_buffering off; } }`;
		const nginx = await startNginx(join(folder, "kept"), [port], http);
		try {
			await allArrive(port, "/kept");
			expect(upstream.seen.at(-1)?.headers.via).toBe("1.1 weir");
		} finally {
			await nginx.close();
		}
	});

	it.skipIf(!hasStreamModule("its PROXY protocol is not tried"))(
		"that says in PROXY protocol for whom it connects",
		async () => {
			const port = await freePort();
			const stream = `stream { server { listen 127.0.0.1:${port};
				proxy_pass 127.0.0.1:${framed()}; proxy_protocol on; } }`;
			const nginx = await startNginx(join(folder, "stream"), [port], "", stream, [STREAM_MODULE]);
			try {
				await allArrive(port, "/stream", "127.0.3.1");
				expect(clients("/stream")).toEqual(new Set(["127.0.3.1"]));
			} finally {
				await nginx.close();
			}
		},
	);
});

describe.skipIf(!hasHaproxy("weir is not tried behind it"))("behind HAProxy", () => {
	/** A server that fails one check is down, and then every request is 503. */
	const CHECKED = "check inter 50ms fall 1 rise 1";
	const shared = ["mode http", "http-reuse always"];
	let haproxy: Haproxy;
	beforeAll(async () => {
		haproxy = await startHaproxy(folder, [
			{ port: plain(), lines: [...shared, "option httpchk"], options: CHECKED },
			{ port: framed(), lines: shared, options: "send-proxy" },
			{
				port: framed(),
				lines: [...shared, "option httpchk"],
				options: `send-proxy-v2 proxy-v2-options unique-id ${CHECKED} check-send-proxy`,
			},
		]);
	});
	afterAll(() => haproxy?.close());

	it("its checks, HTTP/1.0 without a host, are answered", async () => {
		const checks = () => upstream.seen.filter(({ method }) => method === "OPTIONS");
		await until(() => (checks().length > 20 ? true : undefined), "checks");
		expect(checks()[0]).toMatchObject({ target: "/", headers: { via: "1.0 weir" } });
	});

	it.each([
		["connections that clients share", 0, "127.0.0.1"],
		["send-proxy", 1, "127.0.3.2"],
		["send-proxy-v2 with a unique id", 2, "127.0.3.3"],
	])("%s", async (_name, index, address) => {
		await allArrive(haproxy.ports[index] ?? 0, `/way${index}`, address);
		expect(clients(`/way${index}`)).toEqual(new Set([address]));
	});
});
