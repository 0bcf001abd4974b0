/**
 * A backend made of raw sockets that does exactly what a test says, byte by byte, right or wrong. For the
 * upstream suite and whoever tests the data path.
 */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

export interface ReceivedRequest {
	/** the request line and header lines, latin1, without the empty line */
	readonly head: string;
	readonly method: string;
	readonly target: string;
	/** name, value in the order and spelling that came */
	readonly headers: readonly (readonly [string, string])[];
	/** decoded */
	readonly body: Buffer;
}

/** The value of the only header line of that name. */
export const headerOf = (request: ReceivedRequest, name: string): string | undefined => {
	const lines = request.headers.filter(([key]) => key.toLowerCase() === name);
	if (lines.length > 1) throw new Error(`${name} came ${lines.length} times`);
	return lines[0]?.[1];
};

export class Disconnected extends Error {}

/** One accepted connection; reads are promises that reject with `Disconnected` when the peer has gone. */
export class ScriptedConnection {
	readonly socket: Socket;
	/** 0 for the first connection of the upstream */
	readonly index: number;
	/** resolves once the socket is closed, however */
	readonly closed: Promise<void>;
	#buffer = Buffer.alloc(0);
	#ended = false;
	#wake: (() => void) | undefined;

	constructor(socket: Socket, index: number) {
		this.socket = socket;
		this.index = index;
		this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
		socket.on("data", (chunk) => {
			this.#buffer = Buffer.concat([this.#buffer, chunk]);
			this.#wake?.();
		});
		const ended = (): void => {
			this.#ended = true;
			this.#wake?.();
		};
		socket.on("end", ended).on("close", ended).on("error", ended);
	}

	/** bytes that have come and were not read */
	get unread(): number {
		return this.#buffer.length;
	}

	write(bytes: string | Uint8Array): void {
		if (this.socket.destroyed) return;
		this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
	}

	/** Writes and waits for the bytes to be taken by the kernel. */
	async drain(bytes: Uint8Array): Promise<void> {
		await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
	}

	/** FIN */
	end(bytes?: string): void {
		if (bytes !== undefined) this.write(bytes);
		this.socket.end();
	}

	/** RST */
	reset(): void {
		this.socket.resetAndDestroy();
	}

	async #more(): Promise<void> {
		if (this.#ended) throw new Disconnected();
		await new Promise<void>((resolve) => {
			this.#wake = resolve;
		});
		this.#wake = undefined;
	}

	#cut(length: number): Buffer {
		const bytes = this.#buffer.subarray(0, length);
		this.#buffer = this.#buffer.subarray(length);
		return bytes;
	}

	async readBytes(length: number): Promise<Buffer> {
		while (this.#buffer.length < length) await this.#more();
		return this.#cut(length);
	}

	/** @returns everything up to the peer's FIN or RST */
	async readToEnd(): Promise<Buffer> {
		while (!this.#ended) await this.#more().catch(() => {});
		return this.#cut(this.#buffer.length);
	}

	/** From now on everything goes straight back, with back-pressure. */
	echo(): void {
		this.socket.removeAllListeners("data");
		this.socket.write(this.#cut(this.#buffer.length));
		this.socket.pipe(this.socket);
	}

	async readUntil(mark: string): Promise<string> {
		for (;;) {
			const at = this.#buffer.indexOf(mark, 0, "latin1");
			if (at !== -1)
				return this.#cut(at + mark.length)
					.toString("latin1")
					.slice(0, at);
			await this.#more();
		}
	}

	async readHead(): Promise<Omit<ReceivedRequest, "body">> {
		const head = await this.readUntil("\r\n\r\n");
		const [line = "", ...lines] = head.split("\r\n");
		const [method = "", target = "", version] = line.split(" ");
		if (version !== "HTTP/1.1") throw new Error(`odd request line: ${line}`);
		const headers = lines.map((each) => {
			const colon = each.indexOf(": ");
			if (colon < 1) throw new Error(`odd header line: ${each}`);
			return [each.slice(0, colon), each.slice(colon + 2)] as const;
		});
		return { head, method, target, headers };
	}

	async readRequest(): Promise<ReceivedRequest> {
		const head = await this.readHead();
		const empty = { ...head, body: Buffer.alloc(0) };
		const length = headerOf(empty, "content-length");
		const coding = headerOf(empty, "transfer-encoding");
		if (length !== undefined && coding !== undefined) throw new Error("framed twice");
		if (coding !== undefined) return { ...head, body: await this.readChunks() };
		return { ...head, body: await this.readBytes(Number(length ?? 0)) };
	}

	async readChunks(): Promise<Buffer> {
		const chunks: Buffer[] = [];
		for (;;) {
			const size = Number.parseInt(await this.readUntil("\r\n"), 16);
			if (size > 0) chunks.push(Buffer.from(await this.readBytes(size)));
			if ((await this.readUntil("\r\n")) !== "") throw new Error("a chunk is longer than its size");
			if (size === 0) return Buffer.concat(chunks);
		}
	}
}

export type Script = (connection: ScriptedConnection) => Promise<void>;

export class ScriptedUpstream {
	readonly connections: ScriptedConnection[] = [];
	readonly url: string;
	/** what a script threw, other than that its peer went away */
	readonly mistakes: unknown[] = [];
	readonly #server: Server;

	private constructor(server: Server, url: string) {
		this.#server = server;
		this.url = url;
	}

	/**
	 * @param script run once per accepted connection
	 * @param port 0: any that is free
	 */
	static async start(script: Script, tls?: TlsOptions, port = 0): Promise<ScriptedUpstream> {
		const options = { noDelay: true };
		const server = tls === undefined ? createServer(options) : createTlsServer(tls);
		await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
		const address = server.address();
		if (address === null || typeof address === "string") throw new Error("no port");
		const scheme = tls === undefined ? "http" : "https";
		const upstream = new ScriptedUpstream(server, `${scheme}://127.0.0.1:${address.port}`);
		server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
			const connection = new ScriptedConnection(socket, upstream.connections.length);
			upstream.connections.push(connection);
			script(connection).catch((error: unknown) => {
				if (!(error instanceof Disconnected)) upstream.mistakes.push(error);
			});
		});
		return upstream;
	}

	async close(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
		for (const { socket } of this.connections) socket.destroy();
		await closed;
	}
}

/** A script that answers every request of a connection alike. */
export const answering =
	(answer: string | ((request: ReceivedRequest) => string)): Script =>
	async (connection) => {
		for (;;) {
			const request = await connection.readRequest();
			connection.write(typeof answer === "string" ? answer : answer(request));
		}
	};

/** An address where nobody listens. */
export const refusingUrl = async (): Promise<string> => {
	const upstream = await ScriptedUpstream.start(async () => {});
	await upstream.close();
	return upstream.url;
};
