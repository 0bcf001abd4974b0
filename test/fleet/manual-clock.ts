/** A clock that stands still until it is turned. */
import type { Clock } from "../../src/fleet/clock.ts";

export class ManualClock implements Clock {
	#nowMs = 0;
	#timers: { readonly atMs: number; readonly run: () => void }[] = [];
	readonly random: () => number;

	constructor(random: () => number = () => 0.5) {
		this.random = random;
	}

	now(): number {
		return this.#nowMs;
	}

	after(ms: number, run: () => void): () => void {
		const timer = { atMs: this.#nowMs + ms, run };
		this.#timers.push(timer);
		return () => {
			this.#timers = this.#timers.filter((each) => each !== timer);
		};
	}

	/** Runs what is due on the way, and what follows from it. */
	async turn(ms: number): Promise<void> {
		const endMs = this.#nowMs + ms;
		for (;;) {
			await settled();
			const next = this.#timers.toSorted((left, right) => left.atMs - right.atMs)[0];
			if (next === undefined || next.atMs > endMs) break;
			this.#timers = this.#timers.filter((each) => each !== next);
			this.#nowMs = next.atMs;
			next.run();
		}
		this.#nowMs = endMs;
		await settled();
	}
}

/** Every promise that can go on without time has. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
