/** A client that asks for more and more, and reads slowly or goes, costs the worker a bounded amount, and not for long. */
import { createServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Server, startServer, until } from "./harness.ts";

const MANY = "GET / HTTP/1.1\r\nhost: h\r\n\r\n".repeat(8192);
const MEBIBYTE = 1 << 20;

let upstream: HttpServer;
let server: Server;
beforeAll(async () => {
	const piece = Buffer.alloc(MEBIBYTE, "x");
	upstream = createServer((_, response) => Readable.from(Array(1300).fill(piece)).pipe(response));
	await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
	server = await startServer({ workers: 1 });
	await server.route((upstream.address() as AddressInfo).port);
}, 30_000);
afterAll(async () => {
	await server.cleanUp();
	upstream.closeAllConnections();
	upstream.close();
});

/** Asks without end. */
function greedyClient(): Socket {
	const socket = connect(server.port, "127.0.0.1");
	const ask = (): void => {
		while (!socket.destroyed && socket.write(MANY));
	};
	socket.on("error", () => {});
	socket.on("drain", ask);
	ask();
	return socket;
}

it("is not read on while it reads slowly", async () => {
	const client = greedyClient();
	let received = 0;
	// A piece at a time, so that the worker's writes are taken in part again and again.
	client.on("data", (bytes: Buffer) => {
		received += bytes.byteLength;
		client.pause();
		setImmediate(() => client.resume());
	});
	await until(() => received > 1200 * MEBIBYTE || undefined, "most of an answer");
	// What kernels keep on both sides, one read of the library, and what may wait.
	expect(client.bytesWritten - client.writableLength).toBeLessThan(16 * MEBIBYTE);
	client.destroy();
});

it("that leaves behind more requests than may wait is noticed, and its backend is left alone", async () => {
	const held = new Set<Socket>();
	const silent = createTcpServer((socket) => {
		held.add(socket);
		socket.on("error", () => {}).on("data", () => {});
		socket.on("close", () => held.delete(socket));
	});
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	const other = await startServer({ workers: 1 });
	try {
		await other.route((silent.address() as AddressInfo).port);
		const post = `POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 1000\r\n\r\n${"x".repeat(1000)}`;
		for (const leave of ["end", "resetAndDestroy"] as const) {
			const client = connect(other.port, "127.0.0.1");
			client.on("error", () => {});
			client.write(`GET / HTTP/1.1\r\nhost: h\r\n\r\n${post.repeat(200)}`);
			await until(() => held.size === 1 || undefined, "a request at the backend");
			// More than may wait is in the worker's hands or its kernel's.
			await until(() => client.writableLength === 0 || undefined, "all of them sent");
			client[leave]();
			await until(() => held.size === 0 || undefined, "the backend's connection closed");
			client.destroy();
		}
	} finally {
		await other.cleanUp();
		silent.close();
	}
});

it("is forgotten when it has gone", async () => {
	for (let n = 0; n < 20; n++) {
		const client = greedyClient();
		client.pause();
		await until(() => client.bytesWritten > MEBIBYTE || undefined, "requests");
		client.resetAndDestroy();
	}
	const open = 'weir_connections{side="data"}';
	await until(async () => (await server.metric(open)) === 0 || undefined, "no connection left");
	expect(await server.metric("weir_requests_in_flight")).toBe(0);
});
