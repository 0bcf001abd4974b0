/**
 * An answer that goes on: server-sent events (`text/event-stream`, WHATWG HTML 9.2) to one client. It never holds more
 * than what one event left over: while a client does not take that, further events are not for it, and `isFull` says
 * since when, so that somebody can give it up. Made by `streams.ts`, written to by `live/feed.ts`.
 */
import type { ClientResponse } from "../../http/client-response.ts";
import { CORK_BYTES } from "../../http/uws.ts";

/** Why the server ends a stream: it stops, another listener has taken over, or the key is not valid any more. */
export type StreamEnd = "stopping" | "moved" | "key";

interface Client {
	readonly response: Pick<ClientResponse, "cork" | "write" | "end" | "close" | "onWritable">;
	/** `ClientConnection.answered` */
	answered(last: boolean): void;
	/** why it has to end, asked once a second */
	reasonToEnd(): StreamEnd | undefined;
}

/** The library sends what exceeds its buffer behind it, and loses it where the socket is full: a chunk's size and line ends take less than 64. */
const PIECE_BYTES = CORK_BYTES - 64;
const NOTHING = new Uint8Array();

export class EventStream {
	readonly #client: Client;
	readonly #onOver: () => void;
	#rest: Uint8Array = NOTHING;
	#fullSinceMs: number | undefined;
	#isOver = false;

	/** @param isTaken the socket took what has been written so far @param onOver called once it has ended */
	constructor(client: Client, isTaken: boolean, onOver: () => void) {
		this.#client = client;
		this.#onOver = onOver;
		if (!isTaken) this.#fullSinceMs = performance.now();
		client.response.onWritable(() => {
			this.#fullSinceMs = undefined;
			this.#writeRest();
			return this.#fullSinceMs === undefined;
		});
	}

	get isOver(): boolean {
		return this.#isOver;
	}

	/** milliseconds for which the client has not taken what it was sent */
	fullMs(nowMs: number): number {
		return this.#fullSinceMs === undefined ? 0 : nowMs - this.#fullSinceMs;
	}

	reasonToEnd(): StreamEnd | undefined {
		return this.#client.reasonToEnd();
	}

	/** @returns false: the client has not taken what came before, so it won't get this */
	send(event: Uint8Array): boolean {
		if (this.#isOver || this.#fullSinceMs !== undefined) return false;
		this.#rest = event;
		this.#writeRest();
		return true;
	}

	/** After this event the connection ends in order; at once where the client does not read. */
	end(event: Uint8Array): void {
		if (this.#isOver) return;
		if (!this.send(event) || this.#fullSinceMs !== undefined) {
			this.giveUp();
			return;
		}
		this.#isOver = true;
		const { response } = this.#client;
		response.cork(() => response.end());
		this.#client.answered(true);
		this.#onOver();
	}

	/** Ends the connection at once. */
	giveUp(): void {
		if (this.#isOver) return;
		this.gone();
		this.#client.response.close();
	}

	/** The client has gone. */
	gone(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#rest = NOTHING;
		this.#onOver();
	}

	#writeRest(): void {
		const { response } = this.#client;
		while (!this.#isOver && this.#rest.byteLength > 0 && this.#fullSinceMs === undefined) {
			const piece = this.#rest.subarray(0, PIECE_BYTES);
			this.#rest = this.#rest.subarray(piece.byteLength);
			let isTaken = true;
			response.cork(() => {
				isTaken = response.write(piece);
			});
			if (!isTaken) this.#fullSinceMs = performance.now();
		}
	}
}
