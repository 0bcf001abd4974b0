/**
 * The last stretch of a response, which both ways to a backend share: hands its chunks to the sink, which may push
 * back at any of them. Chunks that were read by then are kept, one read of the socket at most, for nothing more is
 * read until the sink resumes. The base of `native/call.ts` and `undici/attempt.ts`.
 */
import type { ResponseSink } from "./upstream.ts";

export abstract class Delivery {
	/** undefined once the sink has heard its last call */
	protected sink: ResponseSink | undefined;
	/** the sink has pushed back */
	protected paused = false;
	#resumeSeen = false;
	#flushPlanned = false;
	#held: Uint8Array[] | undefined;

	constructor(sink: ResponseSink) {
		this.sink = sink;
	}

	/** The sink has heard its last call. */
	get done(): boolean {
		return this.sink === undefined;
	}
	get heldBytes(): number {
		return this.#held?.reduce((bytes, chunk) => bytes + chunk.byteLength, 0) ?? 0;
	}

	/** The sink pushes back: read no more. */
	protected abstract onPause(): void;
	/** The sink has everything that was kept. */
	protected abstract onFlushed(): void;
	/** Where nothing is kept, `onFlushed` may be called from within `resume`. */
	protected abstract get resumesAtOnce(): boolean;
	abstract abort(): void;

	/** Called by the exchange, from anywhere; the sink hears nothing from within. */
	resume(): void {
		this.#resumeSeen = true;
		if (!this.paused || this.#flushPlanned || this.done) return;
		if (this.#held === undefined && this.resumesAtOnce) {
			this.paused = false;
			this.onFlushed();
			return;
		}
		this.#flushPlanned = true;
		queueMicrotask(() => this.#flush());
	}

	/** Hot. @param chunk while paused it is kept, so it must stay what it is */
	protected deliver(chunk: Uint8Array): void {
		if (!this.paused) {
			this.#give(chunk);
			return;
		}
		this.#held ??= [];
		this.#held.push(chunk);
	}

	/** @returns the sink, which hears nothing from now on, unless by the caller */
	protected finish(): ResponseSink | undefined {
		const { sink } = this;
		this.sink = undefined;
		this.#held = undefined;
		return sink;
	}

	/** Hot. A resume from within counts although the push-back comes after it. */
	#give(chunk: Uint8Array): void {
		this.#resumeSeen = false;
		const wantsMore = this.sink?.onData(chunk) ?? true;
		if (wantsMore || this.#resumeSeen || this.done) return;
		this.paused = true;
		this.onPause();
	}

	/** A sink that throws loses its call. */
	#flush(): void {
		this.#flushPlanned = false;
		if (this.done) return;
		const held = this.#held ?? [];
		this.#held = undefined;
		this.paused = false;
		let next = 0;
		try {
			for (; next < held.length && !this.paused && !this.done; next += 1) {
				const chunk = held[next];
				if (chunk !== undefined) this.#give(chunk);
			}
		} catch (error) {
			this.abort();
			throw error;
		}
		if (this.done) return;
		if (next < held.length) this.#held = held.slice(next);
		if (!this.paused) this.onFlushed();
	}
}
