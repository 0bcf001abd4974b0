/**
 * Time and chance of the model: a seed decides what happens, and in which order. What waits, waits in virtual time; after
 * each event all promises settle before the next one.
 */
import type { Clock } from "../../../src/fleet/clock.ts";

export class Simulation implements Clock {
	#state: number;
	#nowMs = 0;
	#order = 0;
	#events: { readonly atMs: number; readonly order: number; readonly run: () => void }[] = [];

	constructor(seed: number) {
		this.#state = seed | 0;
	}

	now(): number {
		return this.#nowMs;
	}

	/** mulberry32 */
	random(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
		value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
		return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
	}

	chance(probability: number): boolean {
		return probability > 0 && this.random() < probability;
	}

	pick<T>(all: readonly T[]): T {
		const one = all[Math.floor(this.random() * all.length)];
		if (one === undefined) throw new Error("nothing to pick from");
		return one;
	}

	below(count: number): number {
		return Math.floor(this.random() * count);
	}

	after(ms: number, run: () => void): () => void {
		const event = { atMs: this.#nowMs + ms, order: this.#order++, run };
		this.#insert(event);
		return () => {
			const index = this.#events.indexOf(event);
			if (index >= 0) this.#events.splice(index, 1);
		};
	}

	pause(ms: number): Promise<void> {
		return new Promise((resolve) => {
			this.after(ms, resolve);
		});
	}

	/** Runs events until `isOver`, or none is left. @throws Error more than `limit` of them */
	async run(isOver: () => boolean, limit: number): Promise<void> {
		for (let count = 0; ; count++) {
			await settle();
			if (isOver()) return;
			const event = this.#events.shift();
			if (event === undefined) return;
			if (count > limit) throw new Error(`not over after ${limit} events`);
			this.#nowMs = Math.max(this.#nowMs, event.atMs);
			event.run();
		}
	}

	/** Waits for a promise while events go on. */
	async until<T>(promise: Promise<T>, limit: number): Promise<T> {
		let isOver = false;
		const end = promise.finally(() => {
			isOver = true;
		});
		end.catch(() => undefined);
		await this.run(() => isOver, limit);
		if (!isOver) throw new Error("nothing happens any more, and the promise is not settled");
		return end;
	}

	/** Sorted, by time and then by when it was planned. */
	#insert(event: { readonly atMs: number; readonly order: number; readonly run: () => void }) {
		let low = 0;
		let high = this.#events.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#events[middle]?.atMs ?? 0) <= event.atMs) low = middle + 1;
			else high = middle;
		}
		this.#events.splice(low, 0, event);
	}
}

/** All microtasks have run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
