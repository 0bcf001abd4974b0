/**
 * A client on one connection, plain or TLS, that writes what it is told and reads whole responses, so that tests see
 * what is on the wire: bodies of HEAD, responses to pipelined requests, a connection that is closed.
 */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface RawResponse {
	readonly version: string;
	readonly status: number;
	/** as on the wire, in latin1, their names in lower case */
	readonly lines: readonly string[];
	readonly body: string;
}

export class RawClient {
	readonly #socket: Socket;
	/** methods of requests that wait for a response, in order */
	readonly #methods: string[] = [];
	#received = "";
	#closed = false;
	#changed: () => void = () => {};

	constructor(port: number, secure = false) {
		const options = { host: "127.0.0.1", port };
		this.#socket = secure
			? connectTls({ ...options, rejectUnauthorized: false })
			: connect(options);
		this.#socket.setEncoding("latin1");
		this.#socket.on("data", (text: string) => {
			this.#received += text;
			this.#changed();
		});
		this.#socket.on("error", () => {});
		this.#socket.on("close", () => {
			this.#closed = true;
			this.#changed();
		});
	}

	/** @param methods of the requests whose responses are to be read */
	write(text: string, ...methods: readonly string[]): this {
		this.#methods.push(...methods);
		this.#socket.write(text, "latin1");
		return this;
	}

	/** The next response; undefined if the connection closes before it is whole. */
	async read(): Promise<RawResponse | undefined> {
		const method = this.#methods.shift() ?? "GET";
		for (;;) {
			const taken = responseIn(this.#received, method, this.#closed);
			if (taken !== undefined) {
				this.#received = taken.rest;
				return taken.response;
			}
			if (this.#closed) return undefined;
			await this.#change();
		}
	}

	/** What has come beyond the responses that were read, once the connection is closed. */
	async end(): Promise<string> {
		while (!this.#closed) await this.#change();
		return this.#received;
	}

	destroy(): void {
		this.#socket.destroy();
	}

	#change(): Promise<void> {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#socket.destroy();
				reject(new Error(`waited in vain; received: ${this.#received}`));
			}, 20_000);
			this.#changed = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}
}

function responseIn(
	text: string,
	method: string,
	closed: boolean,
): { response: RawResponse; rest: string } | undefined {
	const end = text.indexOf("\r\n\r\n");
	if (end < 0) return undefined;
	const [first = "", ...written] = text.slice(0, end).split("\r\n");
	const lines = written.map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()));
	const [version = "", code = ""] = first.split(" ");
	const status = Number(code);
	const behind = text.slice(end + 4);
	const fieldOf = (name: string) =>
		lines
			.find((line) => line.startsWith(`${name}:`))
			?.slice(name.length + 1)
			.trim();
	const made = (body: string, length: number) => ({
		response: { version, status, lines, body },
		rest: behind.slice(length),
	});
	if (method === "HEAD" || status === 204 || status === 304 || status < 200) return made("", 0);
	const length = fieldOf("content-length");
	if (length !== undefined) {
		const bytes = Number(length);
		return behind.length < bytes ? undefined : made(behind.slice(0, bytes), bytes);
	}
	if (fieldOf("transfer-encoding") === "chunked") return chunksOf(behind, made);
	return closed ? made(behind, behind.length) : undefined;
}

function chunksOf<T>(text: string, made: (body: string, length: number) => T): T | undefined {
	let body = "";
	for (let at = 0; ; ) {
		const line = text.indexOf("\r\n", at);
		if (line < 0) return undefined;
		const size = Number.parseInt(text.slice(at, line), 16);
		const next = line + 2 + size + 2;
		if (text.length < next) return undefined;
		if (size === 0) return made(body, next);
		body += text.slice(line + 2, line + 2 + size);
		at = next;
	}
}
