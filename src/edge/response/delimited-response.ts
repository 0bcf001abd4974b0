/**
 * Writes a passed response whose body ends with its connection, for clients of HTTP/1.0, which know no chunks. The
 * server library has no way to do that, so it is written past the library, which is told of room in the socket and
 * never of an end: the front ends the connection. Used by `response-stream.ts` as `CorkedResponse` is.
 */
import type { ClientConnection } from "../../http/client-connection.ts";
import { statusLine } from "./status-line.ts";
import type { PassedHeaders } from "./write-response.ts";

export class DelimitedResponse {
	/** the socket took all of the last write */
	taken = true;
	/** never by a write: `end` says it */
	ended = false;
	readonly keepsRest = false;
	/** bytes of the body that the socket has taken */
	offset = 0;
	readonly #client: ClientConnection;
	/** what the socket has not taken of it */
	#head: Uint8Array;

	constructor(client: ClientConnection, statusCode: number, { passed }: PassedHeaders) {
		const date = `date: ${new Date().toUTCString()}\r\n`;
		const lines = passed === "" ? "" : `${passed}\r\n`;
		this.#client = client;
		this.#head = Buffer.from(`HTTP/1.1 ${statusLine(statusCode)}\r\n${lines}${date}\r\n`, "latin1");
	}

	get headWritten(): boolean {
		return this.#head.byteLength === 0;
	}
	get headBytes(): number {
		return this.#head.byteLength;
	}

	writeHead(): void {
		if (this.headWritten) return;
		this.#client.endsBody();
		this.#head = this.#head.subarray(this.#client.write(this.#head));
		this.taken = this.headWritten;
	}

	write(chunk: Uint8Array): void {
		this.writeHead();
		if (!this.headWritten || chunk.byteLength === 0) return;
		const written = this.#client.write(chunk);
		this.offset += written;
		this.taken = written === chunk.byteLength;
	}

	end(): void {
		this.writeHead();
		this.ended = true;
	}
}
