/**
 * The backend's side of a tunnel where JS has its connection, which it has for TLS: bytes both ways between the
 * stream and the front, each held back while the other takes no more. Made by `tunnels.ts`.
 */
import type { Duplex } from "node:stream";
import type { BackendPort, PortTunnel } from "../../http/tunnel.ts";
import { LIMITS } from "../../limits/limits.ts";

export class StreamPort implements BackendPort {
	readonly #stream: Duplex;
	#hasEnded = false;
	/** the client is held back until the backend has taken all */
	#isFull = false;

	constructor(stream: Duplex) {
		this.#stream = stream;
	}

	/** The tunnel is open: the stream's bytes may come. */
	begin(tunnel: PortTunnel): void {
		const stream = this.#stream;
		// The backend may end its side and go on reading, and so may the client.
		stream.allowHalfOpen = true;
		stream.on("data", (chunk: Uint8Array) => {
			if (!tunnel.write(chunk)) stream.pause();
		});
		stream.on("end", () => {
			this.#hasEnded = true;
			tunnel.end();
		});
		stream.on("drain", () => {
			if (!this.#isFull) return;
			this.#isFull = false;
			tunnel.resume();
		});
		stream.on("close", () => {
			if (!this.#hasEnded) tunnel.abort();
		});
	}

	onData(chunk: Uint8Array): boolean {
		const stream = this.#stream;
		// What the stream keeps must be its own. It says that it is full at a quarter of this, before most messages end.
		const isTaken = stream.write(Buffer.from(chunk));
		this.#isFull = !isTaken && stream.writableLength >= LIMITS.tunnelStreamBytes;
		return !this.#isFull;
	}

	onClientEnd(): void {
		this.#stream.end();
	}

	onRoom(): void {
		this.#stream.resume();
	}

	/** What the client sent before its end is the backend's still. */
	onClose(): void {
		const stream = this.#stream;
		this.#hasEnded = true;
		if (!stream.writableEnded || stream.writableFinished || stream.destroyed) {
			stream.destroy();
			return;
		}
		const timer = setTimeout(() => stream.destroy(), LIMITS.tunnelGoodbyeMs).unref();
		stream.once("finish", () => {
			clearTimeout(timer);
			stream.destroy();
		});
	}
}
