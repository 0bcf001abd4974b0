/** For upstreams that speak TLS: https backends, whose certificate must be right. */
import { createServer, type Socket } from "node:net";
import tls from "node:tls";
import { generate } from "selfsigned";
import { afterEach, expect, test, vi } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { backend, bench, headerLines } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

const certificateFor = async (
	names: readonly ({ type: 2; value: string } | { type: 7; ip: string })[],
) => {
	const { cert, private: key } = await generate([{ name: "commonName", value: "test" }], {
		keySize: 2048,
		extensions: [{ name: "subjectAltName", altNames: [...names] }],
	});
	return { cert, key };
};

/** Adds an authority to those of the machine, as NODE_EXTRA_CA_CERTS does at start. */
const trust = (ca: string): void => {
	const connect = tls.connect;
	vi.spyOn(tls, "connect").mockImplementation(((options: tls.ConnectionOptions) =>
		connect({ ...options, ca })) as typeof tls.connect);
};

export const upstreamTls = (factory: UpstreamFactory): void => {
	afterEach(() => {
		vi.restoreAllMocks();
	});

	test("speaks to a trusted certificate of the URL's name, whatever host says", async () => {
		const pair = await certificateFor([{ type: 2, value: "localhost" }]);
		trust(pair.cert);
		const upstream = await backend(answering(OK), pair);
		const names: unknown[] = [];
		const { ask } = bench(factory, [upstream.url.replace("127.0.0.1", "localhost")]);
		for (const host of ["a.test", "b.test", "a.test"]) {
			const answer = await ask({ lines: headerLines(["host", host]) });
			expect(answer.message).toBe("");
			expect(answer.body.toString()).toBe("ok");
		}
		for (const { socket } of upstream.connections) {
			names.push((socket as tls.TLSSocket & { servername?: unknown }).servername);
		}
		expect(names).toEqual(["localhost"]);
	});

	test("a handshake that hangs times out", async () => {
		const sockets: Socket[] = [];
		// Accepts, but never answers the TLS handshake.
		const server = createServer((socket) => sockets.push(socket.on("error", () => {})));
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const address = server.address();
		const port = typeof address === "object" ? address?.port : 0;
		const { ask } = bench(factory, [`https://127.0.0.1:${port}`], { connectTimeoutMs: 50 });
		expect((await ask()).failure).toBe("timeout");
		for (const socket of sockets) socket.destroy();
		server.close();
	});

	test("an address as host is verified as such", async () => {
		const pair = await certificateFor([{ type: 7, ip: "127.0.0.1" }]);
		trust(pair.cert);
		const upstream = await backend(answering(OK), pair);
		expect((await bench(factory, [upstream.url]).ask()).body.toString()).toBe("ok");
	});

	test("refuses a certificate of another name", async () => {
		const pair = await certificateFor([{ type: 2, value: "elsewhere.test" }]);
		trust(pair.cert);
		const upstream = await backend(answering(OK), pair);
		const { ask } = bench(factory, [upstream.url], { connections: 1 });
		for (let round = 0; round < 3; round += 1) {
			expect((await ask({ lines: headerLines(["host", "elsewhere.test"]) })).failure).toBe(
				"connect",
			);
		}
	});

	test("refuses a certificate that nobody vouches for", async () => {
		const upstream = await backend(
			answering(OK),
			await certificateFor([{ type: 7, ip: "127.0.0.1" }]),
		);
		const answer = await bench(factory, [upstream.url]).ask();
		expect(answer.failure).toBe("connect");
		expect(answer.message).toMatch(/self-signed/);
	});
};
