/**
 * The share of a worker's time that candidates may take: time comes in as it passes, and goes out as they take it. Where
 * it is used up they are left out until there is some again, so that what is compared becomes a sample. Used by
 * `candidates.ts`.
 */
export class TimeShare {
	readonly #share: number;
	readonly #mostMs: number;
	#leftMs: number;
	#atMs: number;

	/** @param share of 1 @param mostMs that may be saved up */
	constructor(share: number, mostMs: number, nowMs: number) {
		this.#share = share;
		this.#mostMs = mostMs;
		this.#leftMs = mostMs;
		this.#atMs = nowMs;
	}

	hasSome(nowMs: number): boolean {
		this.#leftMs = Math.min(this.#mostMs, this.#leftMs + (nowMs - this.#atMs) * this.#share);
		this.#atMs = nowMs;
		return this.#leftMs > 0;
	}

	/** May be more than there is: the rest is saved first. */
	take(ms: number): void {
		this.#leftMs -= ms;
	}
}
