/**
 * A response body on its way to the client (contract 6, bodies), with its length if it is known, else chunked. It
 * holds at most that part of one chunk which the client's socket did not take. `write` says when to wait. Made by
 * `proxying/response-delivery.ts` for every response that has a body and does not come whole.
 *
 * A chunked body goes to the server library in pieces. Each piece is in a cork of its own with its framing, and fits
 * the library's buffer. The library sends what exceeds its buffer after the buffer, and loses it if the socket turns
 * out to be full: then the client would get a chunk's size without its bytes. For a known length the library says
 * how many bytes it took, so pieces of any size will do.
 */
import { CORK_BYTES } from "../../http/uws.ts";
import type { UpstreamCall } from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import type { IdleTimeouts } from "../slow/idle-timeouts.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";
import { type ReadResponse, SlowReader } from "../slow/slow-reader.ts";
import { CorkedResponse } from "./corked-response.ts";
import { DelimitedResponse } from "./delimited-response.ts";
import type { PassedHeaders } from "./write-response.ts";

/** What an upstream holds for a response: bytes in memory, a connection. */
export type Holding = Pick<UpstreamCall, "heldBytes" | "holdsPlace">;

export interface StreamEvents {
	/** the next call into the library ends the response */
	ending(): void;
	/** it has ended */
	ended(): void;
	/** the client took what it had been given */
	drained(): void;
	/** The client was waited for long enough. */
	tooSlow(direction: Direction, reason: SlowReason): void;
	readonly upstreamCall: Holding;
}

const EMPTY = new Uint8Array();
const NOTHING = (): void => {};
/** The most bytes of a chunk in one cork: a chunk's size and its line ends take less than 64. */
const PIECE_BYTES = CORK_BYTES - 64;

// Heads are written after this turn's chunks, so that head and a short body share one write. One microtask for all.
const unflushed: ResponseStream[] = [];
const SOON = Promise.resolve();
const flushHeads = (): void => {
	for (const stream of unflushed.splice(0)) stream.flushHead();
};
const soonFlushed = (stream: ResponseStream): void => {
	if (unflushed.push(stream) === 1) void SOON.then(flushHeads);
};

export class ResponseStream implements ReadResponse {
	readonly #exchange: Exchange;
	readonly #idleTimeouts: IdleTimeouts;
	readonly #events: StreamEvents;
	readonly #writer: CorkedResponse | DelimitedResponse;
	/** bytes, or -1: chunked */
	readonly #length: number;
	#listening = false;
	#received = 0;
	/** bytes that are still to be written */
	#rest: Uint8Array = EMPTY;
	/** bytes that the socket has taken, where the library does not keep the rest */
	#written = 0;
	#stalled = false;
	#reader: SlowReader | undefined;
	#upstreamEnded = false;
	#over = false;

	constructor(
		exchange: Exchange,
		idleTimeouts: IdleTimeouts,
		statusCode: number,
		head: PassedHeaders,
		length: number,
		events: StreamEvents,
	) {
		this.#exchange = exchange;
		this.#idleTimeouts = idleTimeouts;
		this.#writer =
			length < 0 && exchange.client.isHttp10
				? new DelimitedResponse(exchange.client, statusCode, head)
				: new CorkedResponse(exchange.response, statusCode, head, length);
		this.#length = length;
		this.#events = events;
		if (length === 0) this.#endNow();
		else soonFlushed(this);
	}

	/** all of a known length was received */
	get complete(): boolean {
		return this.#received === this.#length;
	}

	/** bytes in memory that the client has not taken */
	get heldBytes(): number {
		return this.#rest.byteLength + this.#events.upstreamCall.heldBytes;
	}
	get takenBytes(): number {
		return this.#exchange.bytesOut - this.#rest.byteLength;
	}
	get holdsPlace(): boolean {
		return this.#events.upstreamCall.holdsPlace;
	}

	tooSlow(reason: SlowReason): void {
		this.#events.tooSlow("download", reason);
	}

	/** @returns `later`: wait for `drained`; `overrun`: longer than its length */
	write(chunk: Uint8Array): "taken" | "later" | "overrun" {
		if (this.#over || chunk.byteLength === 0) return this.#stalled ? "later" : "taken";
		this.#received += chunk.byteLength;
		if (this.#length >= 0 && this.#received > this.#length) return "overrun";
		this.#exchange.bytesOut += chunk.byteLength;
		if (this.#stalled) {
			// The upstream did not wait as it was told: kept in order all the same.
			this.#rest = Buffer.concat([this.#rest, chunk]);
			return "later";
		}
		const written = this.#writePart(chunk);
		if (this.#writer.ended) {
			this.#finish();
			return "taken";
		}
		this.#listen();
		if (this.#writer.taken) return "taken";
		// A copy, because the chunk's memory belongs to the upstream.
		this.#rest = new Uint8Array(chunk.subarray(written));
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
		this.#unstall();
	}

	/** @returns bytes that the library took; fewer than all: the socket is full */
	#writePart(bytes: Uint8Array): number {
		if (this.#writer.keepsRest) return this.#writePieces(bytes);
		if (this.#received === this.#length) this.#events.ending();
		this.#writer.write(bytes);
		if (this.#writer.ended) return bytes.byteLength;
		const before = this.#written;
		this.#written = this.#writer.offset;
		return this.#written - before;
	}

	#writePieces(bytes: Uint8Array): number {
		let written = 0;
		do {
			const left = bytes.byteLength - written;
			// Pieces of about the same size, rather than a few bytes at the end.
			const size = Math.min(this.#room(), Math.ceil(left / Math.ceil(left / PIECE_BYTES)));
			this.#writer.write(bytes.subarray(written, written + size));
			written += size;
		} while (this.#writer.taken && written < bytes.byteLength);
		return written;
	}

	/** @returns bytes of a piece that fit one cork, with the head if it isn't written yet */
	#room(): number {
		const room = PIECE_BYTES - this.#writer.headBytes;
		if (room > 0) return room;
		this.#writer.writeHead();
		return PIECE_BYTES;
	}

	/** The client gets the head while the upstream takes its time for the body. */
	flushHead(): void {
		if (this.#writer.headWritten || this.#over) return;
		this.#writer.write(EMPTY);
		if (!this.#writer.taken) this.#exchange.client.keepPaused();
		this.#listen();
	}

	/**
	 * To be called after the first write that does not end the response. Without a handler the library would close the
	 * connection if its buffer is empty and the upstream then says nothing for 10 s.
	 */
	#listen(): void {
		if (this.#listening) return;
		this.#listening = true;
		this.#exchange.response.onWritable(() => this.#writable());
	}

	#stall(): void {
		this.#stalled = true;
		this.#exchange.client.keepPaused();
		this.#reader ??= new SlowReader(this.#exchange, this);
		this.#reader.wait();
		this.#idleTimeouts.add(this.#reader);
	}

	#unstall(): void {
		if (!this.#stalled || this.#reader === undefined) return;
		this.#stalled = false;
		this.#reader.goOn();
		this.#idleTimeouts.delete(this.#reader);
	}

	/** @returns false if the socket is full again */
	#writable(): boolean {
		if (this.#over) return true;
		if (this.#reader !== undefined) this.#reader.lastProgressMs = performance.now();
		// The handler replaces the library's own, which would write its buffer; a cork makes it do so.
		if (this.#rest.byteLength === 0) this.#exchange.response.cork(NOTHING);
		else {
			const written = this.#writePart(this.#rest);
			if (this.#writer.ended) {
				this.#finish();
				return true;
			}
			this.#rest = this.#rest.subarray(written);
			if (!this.#writer.taken) return false;
		}
		if (!this.#stalled) return true;
		this.#unstall();
		if (this.#upstreamEnded) this.#endNow();
		else this.#events.drained();
		return true;
	}

	/** Of length 0, or chunked and everything written. */
	#endNow(): void {
		this.#events.ending();
		this.#writer.end();
		this.#finish();
	}

	#finish(): void {
		this.#over = true;
		this.#rest = EMPTY;
		this.#unstall();
		this.#events.ended();
	}
}
