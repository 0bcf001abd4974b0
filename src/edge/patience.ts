/**
 * How long slow clients are waited for (contract 6, idle timeouts). uWebSockets.js gives up on a body
 * slower than 16 KiB/s and on a reader that takes nothing for 10 s, whatever the configuration says.
 * Pausing and resuming a socket starts its clock again; done every few seconds for those that wait, the
 * limit becomes `idle_ms` without any progress. Requests that are done before the first sweep cost
 * nothing but the entry in a set.
 */

/** A client that is waited for. */
export interface Waiting {
	/** `performance.now()` of the last byte from or to the client */
	lastProgressMs: number;
	/** Starts the library's clock again. */
	renew(): void;
	/** Waited long enough: the connection is closed. */
	giveUp(): void;
}

/** Below the 8 s after which the library's 10 s may be over (its clock has steps of 4 s). */
const SWEEP_MS = 3000;

export class Patience {
	readonly #idleMs: number;
	readonly #waiting = new Set<Waiting>();
	#timer: NodeJS.Timeout | undefined;

	constructor(idleMs: number) {
		this.#idleMs = idleMs;
	}

	add(waiting: Waiting): void {
		this.#waiting.add(waiting);
		this.#timer ??= setInterval(() => this.sweep(performance.now()), SWEEP_MS).unref();
	}

	delete(waiting: Waiting): void {
		this.#waiting.delete(waiting);
	}

	sweep(nowMs: number): void {
		for (const waiting of this.#waiting) {
			if (nowMs - waiting.lastProgressMs < this.#idleMs) {
				waiting.renew();
			} else {
				this.#waiting.delete(waiting);
				waiting.giveUp();
			}
		}
		if (this.#waiting.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
	}
}
