/**
 * A request's body on its way from the client to the upstream (contract 6, bodies): pulled by the
 * upstream, held back by pausing the client's socket, never more in memory than
 * `LIMITS.requestBodyBufferBytes` and what the library reads in one go: 512 KiB. Where the reading of a long body
 * can't be bounded (`request-view.ts`) it is more from a client that keeps the socket full (README, Known limits).
 */
import { CHUNKED } from "../framing.ts";
import { LIMITS } from "../limits.ts";
import type { RequestBody } from "../upstream/upstream.ts";
import type { Exchange } from "./exchange.ts";
import type { Patience, Waiting } from "./patience.ts";

interface BodySink {
	onChunk(chunk: Uint8Array): void;
	onEnd(): void;
}

export class ClientBody implements RequestBody, Waiting {
	readonly length: number;
	lastProgressMs = performance.now();
	/** the last byte has arrived */
	complete = false;
	readonly #exchange: Exchange;
	readonly #patience: Patience;
	#sink: BodySink | undefined;
	/** before the upstream starts to read */
	#early: Uint8Array[] = [];
	#earlyBytes = 0;
	#touched = false;
	/** the upstream wants no more for now */
	#held = false;
	/** the client's socket is paused */
	#paused = false;
	/** nobody wants the rest */
	#discarded = false;

	/** Must be made while the request's handler runs, or its first bytes are lost. */
	constructor(exchange: Exchange, patience: Patience) {
		this.length = exchange.arrival.bodyLength === CHUNKED ? -1 : exchange.arrival.bodyLength;
		this.#exchange = exchange;
		this.#patience = patience;
		exchange.response.onData((chunk, isLast) => this.#receive(chunk, isLast));
		if (this.length < 0 || this.length > LIMITS.requestBodyBufferBytes) exchange.boundReads();
		patience.add(this);
	}

	get touched(): boolean {
		return this.#touched;
	}

	start(sink: BodySink): void {
		// Never an end that looks like one: the body was given up half-way.
		if (this.#discarded) return;
		this.#sink = sink;
		const early = this.#early;
		this.#early = [];
		for (const chunk of early) {
			this.#touched = true;
			sink.onChunk(chunk);
		}
		if (this.complete) sink.onEnd();
		else if (!this.#held) this.#resumeSocket();
	}

	pause(): void {
		this.#held = true;
		this.#pauseSocket();
	}

	resume(): void {
		this.#held = false;
		this.#resumeSocket();
	}

	/** The response is over: what is left of the body is read and thrown away by the server library. */
	discard(): void {
		if (this.#discarded) return;
		this.#discarded = true;
		this.#sink = undefined;
		this.#early = [];
		this.#patience.delete(this);
		this.#resumeSocket();
	}

	/** The client has gone: the socket must not be touched any more. */
	abandon(): void {
		this.#discarded = true;
		this.#sink = undefined;
		this.#early = [];
		this.#paused = false;
		this.#patience.delete(this);
	}

	renew(): void {
		// A paused socket has no clock, and the client isn't the one who waits.
		if (this.#paused) this.lastProgressMs = performance.now();
		else {
			this.#exchange.response.pause();
			this.#exchange.response.resume();
		}
	}

	giveUp(): void {
		this.#exchange.response.close();
	}

	#receive(chunk: ArrayBuffer, isLast: boolean): void {
		if (isLast) {
			this.complete = true;
			this.#patience.delete(this);
		}
		if (this.#discarded) return;
		// What was read before the pause, or after somebody else started the socket's clock again.
		if (this.#paused && !isLast) this.#exchange.response.pause();
		this.lastProgressMs = performance.now();
		this.#exchange.bodyBytesIn += chunk.byteLength;
		if (chunk.byteLength > 0) {
			if (this.#sink === undefined) {
				// The library takes the memory back when this returns.
				this.#early.push(new Uint8Array(chunk.slice(0)));
				this.#earlyBytes += chunk.byteLength;
				if (this.#earlyBytes >= LIMITS.requestBodyBufferBytes) this.#pauseSocket();
			} else {
				this.#touched = true;
				this.#sink.onChunk(new Uint8Array(chunk));
			}
		}
		if (isLast) this.#sink?.onEnd();
	}

	#pauseSocket(): void {
		if (this.#paused || this.complete || this.#discarded) return;
		this.#paused = true;
		this.#exchange.response.pause();
	}

	#resumeSocket(): void {
		if (!this.#paused) return;
		this.#paused = false;
		this.lastProgressMs = performance.now();
		this.#exchange.response.resume();
	}
}
