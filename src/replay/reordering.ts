/**
 * Puts lines, which are written when requests end, into the order in which the requests began. Within bounds: a line waits
 * until none that is written later than `LIMITS.replayReorderMs` behind it could begin before it, or too many wait. Used by
 * `replay.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { TimeQueue } from "./time-queue.ts";

interface Timed {
	readonly startMs: number;
	readonly endMs: number;
}

export class Reordering<T extends Timed> {
	readonly #queue = new TimeQueue<T>();
	readonly #next: (item: T) => void;
	#newestMs = Number.NEGATIVE_INFINITY;
	#passedMs = Number.NEGATIVE_INFINITY;
	/** lines that came too late to be put where they belong; they are handed on at once */
	late = 0;

	/** @param next called with each, in order */
	constructor(next: (item: T) => void) {
		this.#next = next;
	}

	add(item: T): void {
		const { startMs, endMs } = item;
		if (endMs > this.#newestMs) this.#newestMs = endMs;
		this.#queue.add(startMs, item);
		const untilMs = this.#newestMs - LIMITS.replayReorderMs;
		while (this.#queue.nextMs <= untilMs || this.#queue.size > LIMITS.replayReorderLines)
			this.#pass();
	}

	/** No more lines will come. */
	end(): void {
		while (this.#queue.size > 0) this.#pass();
	}

	#pass(): void {
		const item = this.#queue.take();
		if (item === undefined) return;
		const { startMs } = item;
		if (startMs < this.#passedMs) this.late++;
		else this.#passedMs = startMs;
		this.#next(item);
	}
}
