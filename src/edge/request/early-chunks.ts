/** What has come of a request's body before the upstream reads it, copied. Used by `client-body.ts`. */
import { type BodyChunk, bytesOf } from "../../http/client-response.ts";
import type { BodyShare } from "../slow/body-memory.ts";

export class EarlyChunks {
	bytes = 0;
	readonly #share: BodyShare | undefined;
	#chunks: Uint8Array[] = [];

	/** @param share of the memory for bodies, which counts them */
	constructor(share: BodyShare | undefined) {
		this.#share = share;
	}

	keep(chunk: BodyChunk): void {
		this.#chunks.push(bytesOf(chunk.slice(0)));
		this.bytes += chunk.byteLength;
		this.#share?.keep(chunk.byteLength);
	}

	/** None is kept any more. */
	take(): Uint8Array[] {
		const chunks = this.#chunks;
		this.#share?.keep(-this.bytes);
		this.#chunks = [];
		this.bytes = 0;
		return chunks;
	}
}
