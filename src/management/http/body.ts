/**
 * Request bodies: received whole within bounds of size and speed, or thrown away before a refusal
 * (contract 2, "Body"). Chunks are only valid while the library's callback runs, so they are copied.
 */
import { ApiError } from "../../errors.ts";
import type { ClientConnection } from "../../http/client-connection.ts";
import { type BodyChunk, bytesOf } from "../../http/client-response.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Incoming } from "./incoming.ts";

/** Gets each chunk; undefined once the client is gone. */
type Receiver = (chunk: BodyChunk | undefined, isLast: boolean) => void;

/** The body of one request; made in the synchronous part of the handler, where the library wants it. */
export class IncomingBody {
	#receiver: Receiver | undefined;
	readonly #client: ClientConnection;
	#isComplete = false;
	#isAborted = false;
	#onGone: (() => void) | undefined;

	constructor({ response, client }: Pick<Incoming, "response" | "client">) {
		this.#client = client;
		response.onAborted(() => {
			this.#isAborted = true;
			this.#receiver?.(undefined, true);
			this.#onGone?.();
		});
		response.onData((chunk, isLast) => {
			this.#isComplete ||= isLast;
			this.#receiver?.(chunk, isLast);
		});
	}

	/** The client is gone; its response must not be touched any more. */
	get isAborted(): boolean {
		return this.#isAborted;
	}

	/** @param gone called when the client goes while its answer is still being written */
	whenGone(gone: () => void): void {
		this.#onGone = gone;
	}

	/** Nothing of the body is still to come. */
	get isComplete(): boolean {
		return this.#isComplete;
	}

	/** Nobody can tell where it ends. */
	get isMalformed(): boolean {
		return this.#client.hasBadBody;
	}

	/**
	 * Must be called in the synchronous part of the handler.
	 * @returns the body, or undefined if the client went away
	 * @throws ApiError 400 malformed, 413 more than `limit` bytes, 408 too slow; the rest of the body is then still to
	 *   come
	 */
	receive(limit: number): Promise<Uint8Array | undefined> {
		if (this.#client.expectsContinue) this.#client.writeContinue();
		return new Promise((resolve, reject) => {
			const chunks: Buffer[] = [];
			let received = 0;
			let previous = 0;
			let watch: NodeJS.Timeout | undefined;
			const finish = () => {
				this.#receiver = undefined;
				clearImmediate(begun);
				clearInterval(watch);
			};
			const look = () => {
				const isFastEnough = received - previous >= LIMITS.managementBodyWindowBytes;
				previous = received;
				if (isFastEnough) return;
				finish();
				reject(new ApiError("ERR_REQUEST_TIMEOUT", "The body did not arrive in time."));
			};
			// Most bodies come with their heads, and need no clock.
			const begun = setImmediate(() => {
				watch = setInterval(look, LIMITS.managementBodyWindowMs);
			});
			this.#receiver = (chunk, isLast) => {
				received += chunk?.byteLength ?? 0;
				if (chunk === undefined || this.isMalformed || received > limit) {
					finish();
					if (chunk === undefined) resolve(undefined);
					else reject(this.isMalformed ? malformed() : tooLarge(limit));
					return;
				}
				chunks.push(Buffer.from(bytesOf(chunk)));
				if (!isLast) return;
				finish();
				resolve(Buffer.concat(chunks, received));
			};
		});
	}

	/**
	 * Where there is no front: reads and forgets what the client is still sending, so that it gets to see the refusal and
	 * not a connection reset; bounded, because a client may go on for ever. Resolves when the body is over, no
	 * longer worth waiting for, or the client is gone.
	 */
	discard(): Promise<void> {
		if (this.#isComplete || this.#isAborted) return Promise.resolve();
		return new Promise((resolve) => {
			let discarded = 0;
			const finish = () => {
				this.#receiver = undefined;
				clearTimeout(idle);
				clearTimeout(deadline);
				resolve();
			};
			const idle = setTimeout(finish, LIMITS.discardIdleMs);
			const deadline = setTimeout(finish, LIMITS.discardMs);
			this.#receiver = (chunk, isLast) => {
				discarded += chunk?.byteLength ?? 0;
				idle.refresh();
				if (isLast || discarded > LIMITS.discardBytes) finish();
			};
		});
	}
}

const malformed = (): ApiError =>
	new ApiError("ERR_BAD_REQUEST", "The request is refused: the chunked body is malformed.");

export const tooLarge = (limit: number): ApiError =>
	new ApiError("ERR_BODY_TOO_LARGE", `The body is larger than ${limit} bytes.`);
