/**
 * Counts of something that happens, and how often it happens a second, smoothed over some seconds. Nothing is done for
 * what doesn't happen: a rate fades when it is read. Used by `route-traffic.ts`, `upstreams.ts` and `limit-list.ts`.
 */

/** A rate forgets two thirds of what was in so many seconds. */
const MEMORY_SECONDS = 4;
const SECOND_MS = 1000;
/** Counts come once a second; a rate begins to fade when none has come for longer. */
const FRESH_MS = 1500;

export class Rate {
	total = 0;
	#perSecond = 0;
	#atMs = 0;

	/** @param count of the last `seconds` */
	add(count: number, seconds: number, nowMs: number): void {
		this.total += count;
		const kept = Math.exp(-Math.max((nowMs - this.#atMs) / SECOND_MS, 0) / MEMORY_SECONDS);
		this.#perSecond =
			this.#atMs === 0 ? count / seconds : this.#perSecond * kept + (count / seconds) * (1 - kept);
		this.#atMs = nowMs;
	}

	perSecond(nowMs: number): number {
		const silentMs = nowMs - this.#atMs;
		if (silentMs < FRESH_MS) return this.#perSecond;
		return this.#perSecond * Math.exp(-silentMs / SECOND_MS / MEMORY_SECONDS);
	}
}

/** As JSON shows it: three digits are enough of a rate. */
export const rounded = (perSecond: number): number =>
	perSecond < 0.005 ? 0 : Number(perSecond.toPrecision(3));
