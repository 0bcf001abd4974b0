/**
 * The memory that request bodies occupy in one pool: in their streams, and in the sockets that were given their
 * bytes. It is counted when it is asked for, unless the last count is fresh. Used by `pool.ts`.
 */
import type { Clock } from "./deadlines.ts";

/** milliseconds; counting 5000 uploads takes about one */
const STALE_MS = 20;

interface Upload {
	/** the call is over */
	readonly done: boolean;
	readonly bodyBytes: number;
}

export class UploadBytes {
	readonly #now: Clock;
	readonly #uploads = new Set<Upload>();
	#bytes = 0;
	#countedAtMs = Number.NEGATIVE_INFINITY;

	constructor(now: Clock) {
		this.#now = now;
	}

	add(upload: Upload): void {
		this.#uploads.add(upload);
	}

	count(): number {
		const now = this.#now();
		if (now - this.#countedAtMs < STALE_MS) return this.#bytes;
		this.#countedAtMs = now;
		this.#bytes = 0;
		for (const upload of this.#uploads) {
			if (upload.done) this.#uploads.delete(upload);
			else this.#bytes += upload.bodyBytes;
		}
		return this.#bytes;
	}
}
