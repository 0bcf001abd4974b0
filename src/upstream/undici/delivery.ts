/**
 * The last stretch of a response: from what a connection has read to the sink, which may push back at any
 * chunk. What was read by then is kept, at most one read of the socket (64 KiB). The base of `PooledCall`.
 */
import type { ResponseSink } from "../upstream.ts";
import { Deadline } from "./deadlines.ts";

export abstract class Delivery extends Deadline {
	protected readonly sink: ResponseSink;
	/** the sink has pushed back */
	protected paused = false;
	#over = false;
	#resumeSeen = false;
	#flushPlanned = false;
	#held: Uint8Array[] = [];

	constructor(sink: ResponseSink) {
		super();
		this.sink = sink;
	}

	/** The sink has heard its last call. */
	get done(): boolean {
		return this.#over;
	}

	/** The sink pushes back: read no more. */
	protected abstract onPause(): void;
	/** The sink has everything that was kept. */
	protected abstract onFlushed(): void;

	get heldBytes(): number {
		return this.#held.reduce((bytes, chunk) => bytes + chunk.byteLength, 0);
	}

	/** Called by the exchange, from anywhere. */
	resume(): void {
		this.#resumeSeen = true;
		if (!this.paused || this.#flushPlanned || this.#over) return;
		this.#flushPlanned = true;
		// A parser must not be entered from within a callback of another connection's parser.
		queueMicrotask(() => this.#flush());
	}

	/** Hot. Also while paused: then it is kept. */
	protected deliver(chunk: Uint8Array): void {
		if (this.paused) this.#held.push(chunk);
		else this.#give(chunk);
	}

	/** Nothing is called on the sink from now on, unless by the caller. */
	protected finish(): void {
		this.#over = true;
		this.#held = [];
		this.disarm();
	}

	/** Hot. A resume from within counts although the push-back comes after it. */
	#give(chunk: Uint8Array): void {
		this.#resumeSeen = false;
		if (this.sink.onData(chunk) || this.#resumeSeen || this.#over) return;
		this.paused = true;
		this.onPause();
	}

	#flush(): void {
		this.#flushPlanned = false;
		if (this.#over) return;
		this.paused = false;
		const held = this.#held;
		let next = 0;
		for (; next < held.length && !this.paused && !this.#over; next += 1) {
			const chunk = held[next];
			if (chunk !== undefined) this.#give(chunk);
		}
		this.#held = held.slice(next);
		if (!this.paused && !this.#over) this.onFlushed();
	}
}
