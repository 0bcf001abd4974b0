/**
 * Writes a passed response into the server library, each write in a cork of its own: the head before the first
 * write, then the body, with its length or chunked. Used by `response-stream.ts`.
 */
import type { ClientResponse } from "../../http/client-response.ts";
import { headBytes, type PassedHeaders, writeHead } from "./write-response.ts";

const EMPTY = new Uint8Array();

export class CorkedResponse {
	/** the socket took all of the last write */
	taken = true;
	/** the response has ended: the library must not be asked about it any more */
	ended = false;
	headWritten = false;
	/** The library keeps what the socket does not take. */
	readonly keepsRest: boolean;
	readonly #response: ClientResponse;
	readonly #statusCode: number;
	readonly #head: PassedHeaders;
	/** bytes, or -1: chunked */
	readonly #length: number;
	#chunk: Uint8Array = EMPTY;

	// `cork` calls back before it returns, so all responses share these functions.
	static #current: CorkedResponse | undefined;
	static readonly #writeHead = (): void => CorkedResponse.#corked().#headNow();
	static readonly #writeChunk = (): void => CorkedResponse.#corked().#chunkNow();
	static readonly #writeEnd = (): void => CorkedResponse.#corked().#endNow();

	/** @param length bytes, or -1: chunked */
	constructor(response: ClientResponse, statusCode: number, head: PassedHeaders, length: number) {
		this.#response = response;
		this.#statusCode = statusCode;
		this.#head = head;
		this.#length = length;
		this.keepsRest = length < 0;
	}

	/** bytes of a body of known length that the socket has taken; to be read before the end */
	get offset(): number {
		return this.#response.getWriteOffset();
	}

	/** bytes, at most, that the head takes of the next write */
	get headBytes(): number {
		return this.headWritten ? 0 : headBytes(this.#head.passed.length);
	}

	writeHead(): void {
		this.#cork(CorkedResponse.#writeHead);
	}

	/** The whole of `length` ends the response. */
	write(chunk: Uint8Array): void {
		this.#chunk = chunk;
		this.#cork(CorkedResponse.#writeChunk);
		this.#chunk = EMPTY;
	}

	/** Of length 0, or chunked and everything written. */
	end(): void {
		this.#cork(CorkedResponse.#writeEnd);
	}

	#cork(write: () => void): void {
		CorkedResponse.#current = this;
		this.#response.cork(write);
		CorkedResponse.#current = undefined;
	}

	static #corked(): CorkedResponse {
		if (CorkedResponse.#current === undefined) throw new Error("nothing is corked");
		return CorkedResponse.#current;
	}

	#headNow(): void {
		if (this.headWritten) return;
		this.headWritten = true;
		writeHead(this.#response, this.#statusCode, this.#head);
	}

	#chunkNow(): void {
		this.#headNow();
		if (this.#length < 0) this.taken = this.#response.write(this.#chunk);
		else [this.taken, this.ended] = this.#response.tryEnd(this.#chunk, this.#length);
	}

	#endNow(): void {
		this.#headNow();
		this.ended = true;
		this.#response.end();
	}
}
