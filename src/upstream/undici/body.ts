/**
 * A client's request body on its way to a backend: turns the pushed `RequestBody` into the stream that
 * undici pulls, with back-pressure both ways and at most one high-water mark buffered. Each attempt gets
 * its own stream, since a failed one is destroyed; the body itself is started once. Made by `attempt.ts`.
 */
import { Readable } from "node:stream";
import { LIMITS } from "../../limits/limits.ts";
import type { RequestBody } from "../upstream.ts";

export class BodyFeed {
	readonly #body: RequestBody;
	#started = false;
	#ended = false;
	#stream: Readable | undefined;
	/** the backend does not take more at the moment */
	pushedBack = false;
	/** the call is over: start nothing, pass nothing on */
	stopped = false;

	constructor(body: RequestBody) {
		this.#body = body;
	}

	get bufferedBytes(): number {
		return this.#stream?.readableLength ?? 0;
	}

	/** The stream of the next attempt. Nothing is read from the client before the stream is read. */
	open(): Readable {
		this.#stream = new Readable({
			highWaterMark: LIMITS.upstreamBodyBufferBytes,
			read: () => this.#pull(),
		});
		// A destroyed stream tells of its error here; the call hears it from undici.
		this.#stream.on("error", () => {});
		return this.#stream;
	}

	/** The call is over: the rest that the client still sends is the caller's to handle. */
	stop(): void {
		this.stopped = true;
		this.#stream?.destroy();
		this.#stream = undefined;
	}

	#pull(): void {
		if (this.stopped) return;
		if (!this.#started) {
			this.#started = true;
			this.#body.start({
				onChunk: (chunk) => this.#push(chunk),
				onEnd: () => this.#end(),
			});
		} else if (this.#ended) {
			this.#stream?.push(null);
		} else if (this.pushedBack) {
			this.pushedBack = false;
			this.#body.resume();
		}
	}

	#push(chunk: Uint8Array): void {
		const stream = this.#stream;
		if (
			stream === undefined ||
			stream.destroyed ||
			stream.push(Buffer.from(chunk)) ||
			this.pushedBack
		)
			return;
		this.pushedBack = true;
		this.#body.pause();
	}

	#end(): void {
		this.#ended = true;
		if (this.#stream?.destroyed === false) this.#stream.push(null);
	}
}
