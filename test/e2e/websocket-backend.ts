/** A backend of WebSockets, plain or TLS, whose behaviour the path says; and clients of it. For `websockets.test.ts`. */
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type ClientOptions, WebSocket, WebSocketServer } from "ws";

export interface WebSocketBackend {
	readonly port: number;
	/** of the last handshake */
	readonly last: { headers: Record<string, string | string[] | undefined>; socket?: WebSocket };
	/** codes with which clients closed */
	readonly closed: number[];
	close(): void;
}

/** @param tls certificate and key; undefined: plain */
export async function startWebSockets(
	tls: { readonly cert: Buffer; readonly key: Buffer } | undefined,
): Promise<WebSocketBackend> {
	const server = tls === undefined ? createServer() : createTlsServer(tls);
	const last: WebSocketBackend["last"] = { headers: {} };
	const closed: number[] = [];
	const sockets = new WebSocketServer({
		server,
		maxPayload: 256 * 1024 * 1024,
		perMessageDeflate: { threshold: 1024 },
		handleProtocols: (protocols) => (protocols.has("b") ? "b" : false),
	});
	sockets.on("connection", (socket, request) => {
		last.headers = request.headers;
		last.socket = socket;
		socket.on("error", () => {});
		socket.on("close", (code) => closed.push(code));
		const [, code] = /close=(\d+)/.exec(request.url ?? "") ?? [];
		socket.on("message", (data, isBinary) => {
			if (code === undefined) socket.send(data, { binary: isBinary });
			else socket.close(Number(code), "as asked");
		});
	});
	server.on("request", (_incoming, outgoing) => outgoing.end("no upgrade"));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		last,
		closed,
		close() {
			for (const socket of sockets.clients) socket.terminate();
			server.close();
			server.closeAllConnections();
		},
	};
}

/** A client that keeps what it hears. */
export class WebSocketClient {
	readonly socket: WebSocket;
	readonly messages: (Buffer | string)[] = [];
	readonly pings: string[] = [];
	readonly pongs: string[] = [];
	closed: readonly [code: number, reason: string] | undefined;
	error = "";

	constructor(url: string, protocols: readonly string[] = [], options: ClientOptions = {}) {
		this.socket = new WebSocket(url, [...protocols], {
			rejectUnauthorized: false,
			maxPayload: 256 * 1024 * 1024,
			...options,
		});
		this.socket.on("message", (data: Buffer, isBinary) => {
			this.messages.push(isBinary ? data : data.toString());
		});
		this.socket.on("ping", (data) => this.pings.push(String(data)));
		this.socket.on("pong", (data) => this.pongs.push(String(data)));
		this.socket.on("error", ({ message }) => {
			this.error = message;
		});
		this.socket.on("close", (code, reason) => {
			this.closed = [code, String(reason)];
		});
	}

	/** @throws Error if the handshake is refused */
	async open(): Promise<this> {
		await new Promise<void>((resolve, reject) => {
			this.socket.once("open", resolve);
			this.socket.once("error", reject);
		});
		return this;
	}
}
