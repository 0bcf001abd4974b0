/**
 * The exact sliding log: the definition of the limit, as short as it can be, without a bound on its
 * memory. The oracle of the tests of what is faster (native/src/counters/window.h).
 */
export class SlidingLog {
	readonly #capacity: number;
	readonly #windowMs: number;
	/** admissions younger than the window, oldest first; those of one millisecond share an entry */
	readonly #runs: { stamp: number; count: number }[] = [];
	#total = 0;
	#latest = 0;

	/** @param capacity admitted requests per window @param windowMs milliseconds */
	constructor(capacity: number, windowMs: number) {
		this.#capacity = capacity;
		this.#windowMs = windowMs;
	}

	/**
	 * Admits unless the capacity-th most recent admission is younger than the window.
	 * @param nowMs the clock; a reading before an earlier one counts as the earlier one
	 * @returns 0 if admitted, else the milliseconds (1…windowMs) until there is room
	 */
	admit(nowMs: number): number {
		this.#latest = Math.max(this.#latest, nowMs);
		let oldest = this.#runs[0];
		while (oldest !== undefined && this.#latest - oldest.stamp >= this.#windowMs) {
			this.#total -= oldest.count;
			this.#runs.shift();
			oldest = this.#runs[0];
		}
		if (oldest !== undefined && this.#total >= this.#capacity) {
			return oldest.stamp + this.#windowMs - this.#latest;
		}
		const newest = this.#runs.at(-1);
		if (newest !== undefined && newest.stamp === this.#latest) newest.count += 1;
		else this.#runs.push({ stamp: this.#latest, count: 1 });
		this.#total += 1;
		return 0;
	}
}
