/**
 * Which places of a table have changed since they were told: a bit each, so that who counts touches next to nothing, and
 * telling what has changed of 100,000 places looks at 12 kB instead of all of them. Used by `route-rows.ts` and
 * `rule-counts.ts`.
 */

const BITS = 32;
const WORDS_AT_FIRST = 4;

export class ChangedPlaces {
	#words = new Uint32Array(WORDS_AT_FIRST);
	/** where `next` looks first: each place has its turn */
	#from = 0;

	/** To be called before the place changes for the first time. */
	reach(place: number): void {
		const before = this.#words;
		if (place < before.length * BITS) return;
		this.#words = new Uint32Array(Math.max((place >>> 5) + 1, before.length * 2));
		this.#words.set(before);
	}

	/** Hot. */
	add(place: number): void {
		const words = this.#words;
		words[place >>> 5] = (words[place >>> 5] ?? 0) | (1 << (place & 31));
	}

	has(place: number): boolean {
		return ((this.#words[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
	}

	delete(place: number): void {
		const words = this.#words;
		words[place >>> 5] = (words[place >>> 5] ?? 0) & ~(1 << (place & 31));
	}

	/** The one whose turn it is, which is told with that. @returns -1 if none has changed */
	next(): number {
		const words = this.#words;
		// Behind the table's end there may be places when `next` is called again.
		const from = this.#from >>> 5 < words.length ? this.#from : 0;
		let at = from >>> 5;
		let word = (words[at] ?? 0) & (-1 << (from & 31));
		// The first word comes again at the end, for what is before the place in it.
		for (let left = words.length; word === 0; left--) {
			if (left === 0) return -1;
			at = at + 1 < words.length ? at + 1 : 0;
			word = words[at] ?? 0;
		}
		const place = at * BITS + 31 - Math.clz32(word & -word);
		this.delete(place);
		this.#from = place + 1;
		return place;
	}
}
