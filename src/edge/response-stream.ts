/**
 * A response body on its way to the client (contract 6, bodies): a known length goes as it is, the rest
 * chunked. Holds at most the part of one chunk that the client's socket didn't take; `write` says when
 * to wait. Used by `proxying.ts` for every response that has a body.
 */
import type { Exchange } from "./exchange.ts";
import type { Patience, Waiting } from "./patience.ts";
import { type PassedHeaders, writeHead } from "./reply.ts";

export interface StreamEvents {
	/** the next call into the library ends the response */
	ending(): void;
	/** it has ended */
	ended(): void;
	/** the client took what it had been given */
	drained(): void;
}

const EMPTY = new Uint8Array();

export class ResponseStream implements Waiting {
	lastProgressMs = 0;
	readonly #exchange: Exchange;
	readonly #patience: Patience;
	readonly #events: StreamEvents;
	readonly #statusCode: number;
	readonly #head: PassedHeaders;
	/** bytes, or -1: chunked */
	readonly #length: number;
	#headWritten = false;
	#listening = false;
	/** bytes received of the upstream */
	#received = 0;
	/** of a known length: what the socket didn't take, and its place in the body */
	#rest: Uint8Array = EMPTY;
	#restStart = 0;
	#stalled = false;
	#upstreamEnded = false;
	#over = false;
	#chunk: Uint8Array = EMPTY;
	#taken = true;
	#done = false;

	constructor(
		exchange: Exchange,
		patience: Patience,
		statusCode: number,
		head: PassedHeaders,
		length: number,
		events: StreamEvents,
	) {
		this.#exchange = exchange;
		this.#patience = patience;
		this.#statusCode = statusCode;
		this.#head = head;
		this.#length = length;
		this.#events = events;
		if (length === 0) this.#endNow();
		// After this turn's chunks, so that header and a short body share one write.
		else queueMicrotask(() => this.#flushHead());
	}

	/** every byte of a known length has been received */
	get complete(): boolean {
		return this.#received === this.#length;
	}

	/** @returns `later`: wait for `drained`; `overrun`: longer than its length */
	write(chunk: Uint8Array): "taken" | "later" | "overrun" {
		if (this.#over || chunk.byteLength === 0) return this.#stalled ? "later" : "taken";
		const start = this.#received;
		this.#received += chunk.byteLength;
		if (this.#length >= 0 && this.#received > this.#length) return "overrun";
		this.#exchange.bytesOut += chunk.byteLength;
		if (this.#stalled && this.#length >= 0) {
			// Told to wait and didn't: kept in order, all the same.
			this.#rest = Buffer.concat([this.#rest, chunk]);
			return "later";
		}
		this.#chunk = chunk;
		if (this.#received === this.#length) this.#events.ending();
		this.#exchange.response.cork(this.#writeChunk);
		this.#chunk = EMPTY;
		if (this.#done) {
			this.#finish();
			return "taken";
		}
		if (this.#taken) return "taken";
		if (this.#length >= 0) {
			// The chunk's memory may be used again when this returns.
			this.#restStart = this.#exchange.response.getWriteOffset();
			this.#rest = chunk.slice(this.#restStart - start);
		}
		this.#stall();
		return "later";
	}

	/** The upstream is done. @returns false if the body is shorter than its length */
	end(): boolean {
		if (this.#over) return true;
		if (this.#length >= 0) return this.#received === this.#length;
		this.#upstreamEnded = true;
		if (!this.#stalled) this.#endNow();
		return true;
	}

	/** The connection is gone or about to be reset. */
	abandon(): void {
		this.#over = true;
		this.#rest = EMPTY;
		this.#patience.delete(this);
	}

	renew(): void {
		this.#exchange.response.pause();
		this.#exchange.response.resume();
	}

	giveUp(): void {
		this.#exchange.response.close();
	}

	readonly #writeChunk = (): void => {
		const { response } = this.#exchange;
		this.#writeHeadOnce();
		if (this.#length < 0) this.#taken = response.write(this.#chunk);
		else [this.#taken, this.#done] = response.tryEnd(this.#chunk, this.#length);
	};

	#writeHeadOnce(): void {
		if (this.#headWritten) return;
		this.#headWritten = true;
		writeHead(this.#exchange.response, this.#statusCode, this.#head);
	}

	/** The upstream takes its time for the body: the client gets the header meanwhile. */
	#flushHead(): void {
		if (this.#headWritten || this.#over) return;
		this.#exchange.response.cork(this.#writeChunk);
	}

	#stall(): void {
		this.#stalled = true;
		this.lastProgressMs = performance.now();
		this.#patience.add(this);
		if (this.#listening) return;
		this.#listening = true;
		this.#exchange.response.onWritable((offset) => this.#writable(offset));
	}

	/** @returns false if the socket is full again */
	#writable(offset: number): boolean {
		if (this.#over || !this.#stalled) return true;
		this.lastProgressMs = performance.now();
		if (this.#length < 0) {
			// Without a write of its own the library keeps what it has (its handler took over the event).
			this.#exchange.response.cork(() => {});
		} else {
			this.#chunk = this.#rest.subarray(offset - this.#restStart);
			if (this.#received === this.#length) this.#events.ending();
			this.#exchange.response.cork(this.#writeChunk);
			if (this.#done) {
				this.#finish();
				return true;
			}
			if (!this.#taken) return false;
			this.#rest = EMPTY;
		}
		this.#stalled = false;
		this.#patience.delete(this);
		if (this.#upstreamEnded) this.#endNow();
		else this.#events.drained();
		return true;
	}

	/** Of length 0, or chunked and everything written. */
	#endNow(): void {
		this.#events.ending();
		this.#exchange.response.cork(() => {
			this.#writeHeadOnce();
			this.#exchange.response.end();
		});
		this.#finish();
	}

	#finish(): void {
		this.#over = true;
		this.#rest = EMPTY;
		this.#patience.delete(this);
		this.#events.ended();
	}
}
