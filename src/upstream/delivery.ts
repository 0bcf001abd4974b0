/**
 * The last stretch of a response, which both ways to a backend share: hands its chunks to the sink, which may push
 * back at any of them. Chunks that were read by then are kept, one read of the socket at most, for nothing more is
 * read until the sink resumes. The base of `native/call.ts` and `undici/attempt.ts`.
 */
import type { ResponseSink } from "./upstream.ts";

/** Made for sinks that push back, which few do. */
class PushBack {
	/** the sink has pushed back */
	paused = false;
	resumeSeen = false;
	flushPlanned = false;
	held: Uint8Array[] | undefined;
	/** the response has ended, and the sink has yet to hear of it */
	endHeld = false;
}

export abstract class Delivery {
	/** undefined once the sink has heard its last call */
	protected sink: ResponseSink | undefined;
	#pushBack: PushBack | undefined;

	constructor(sink: ResponseSink) {
		this.sink = sink;
	}

	protected makePushBack(): PushBack {
		this.#pushBack ??= new PushBack();
		return this.#pushBack;
	}
	protected get paused(): boolean {
		return this.#pushBack?.paused === true;
	}
	protected get endHeld(): boolean {
		return this.#pushBack?.endHeld === true;
	}

	/** The sink has heard its last call. */
	get done(): boolean {
		return this.sink === undefined;
	}
	get heldBytes(): number {
		return this.#pushBack?.held?.reduce((bytes, chunk) => bytes + chunk.byteLength, 0) ?? 0;
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
		const pushBack = this.makePushBack();
		pushBack.resumeSeen = true;
		if (!pushBack.paused || pushBack.flushPlanned || this.done) return;
		if (pushBack.held === undefined && this.resumesAtOnce) {
			pushBack.paused = false;
			this.onFlushed();
			return;
		}
		pushBack.flushPlanned = true;
		queueMicrotask(() => this.flush(pushBack));
	}

	/** Hot. @param chunk while paused it is kept, so it must stay what it is */
	protected deliver(chunk: Uint8Array): void {
		const pushBack = this.#pushBack;
		if (pushBack?.paused !== true) {
			this.give(chunk);
			return;
		}
		pushBack.held ??= [];
		pushBack.held.push(chunk);
	}

	/** @returns the sink, which hears nothing from now on, unless by the caller */
	protected finish(): ResponseSink | undefined {
		const { sink } = this;
		this.sink = undefined;
		if (this.#pushBack !== undefined) this.#pushBack.held = undefined;
		return sink;
	}

	/** Hot. A resume from within counts although the push-back comes after it. */
	private give(chunk: Uint8Array): void {
		if (this.#pushBack !== undefined) this.#pushBack.resumeSeen = false;
		const wantsMore = this.sink?.onData(chunk) ?? true;
		if (wantsMore || this.done) return;
		const pushBack = this.makePushBack();
		if (pushBack.resumeSeen) return;
		pushBack.paused = true;
		this.onPause();
	}

	/** A sink that throws loses its call. */
	private flush(pushBack: PushBack): void {
		pushBack.flushPlanned = false;
		if (this.done) return;
		const held = pushBack.held ?? [];
		pushBack.held = undefined;
		pushBack.paused = false;
		let next = 0;
		try {
			for (; next < held.length && !pushBack.paused && !this.done; next += 1) {
				const chunk = held[next];
				if (chunk !== undefined) this.give(chunk);
			}
		} catch (error) {
			this.abort();
			throw error;
		}
		if (this.done) return;
		if (next < held.length) pushBack.held = held.slice(next);
		if (!pushBack.paused) this.onFlushed();
	}
}
