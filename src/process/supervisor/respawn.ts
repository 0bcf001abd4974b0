/**
 * How long to wait before a crashed worker is started again: at once after a long life, then doubling
 * from 100 ms to 10 s while it keeps dying young, so that a crash loop can't eat the machine.
 */
import { LIMITS } from "../../limits/limits.ts";

export class RespawnDelay {
	#crashesInARow = 0;

	/** @param aliveMs how long the worker that just died had run */
	next(aliveMs: number): number {
		if (aliveMs >= LIMITS.respawnStableMs) this.#crashesInARow = 0;
		const delay =
			this.#crashesInARow === 0
				? 0
				: Math.min(LIMITS.respawnLastMs, LIMITS.respawnFirstMs * 2 ** (this.#crashesInARow - 1));
		this.#crashesInARow += 1;
		return delay;
	}
}

/** Workers to be started again, each after its delay. Used by `worker-set.ts`. */
export class Respawns {
	readonly #start: (index: number) => void;
	readonly #timers = new Set<NodeJS.Timeout>();
	#delays = new Map<number, RespawnDelay>();

	constructor(start: (index: number) => void) {
		this.#start = start;
	}

	/** @param aliveMs how long the worker that just died had run */
	later(index: number, aliveMs: number): void {
		const delay = this.#delays.get(index) ?? new RespawnDelay();
		this.#delays.set(index, delay);
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			this.#start(index);
		}, delay.next(aliveMs));
		this.#timers.add(timer);
	}

	cancel(): void {
		for (const timer of this.#timers) clearTimeout(timer);
		this.#timers.clear();
	}

	/** For a new generation, whose workers have not died yet. */
	forgetCrashes(): void {
		this.#delays = new Map();
	}
}
