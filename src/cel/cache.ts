/**
 * Keeps what was used last, a number of it for certain and twice as much at most: patterns (`pattern/`), the shapes of code
 * (`lower/shapes.ts`), moulds (`alike/moulds.ts`), places of addresses (`edge/geo.ts`), names of header fields
 * (`edge/request/`), rates (`policy/actions/`). What was
 * used is in one of two tables, that of late or that of before; when the one is full, the other is forgotten. So a look for
 * what is used often changes nothing.
 */

export class Cache<T> {
	#lately = new Map<string, T>();
	#before = new Map<string, T>();
	readonly #size: number;
	readonly #kept: (key: string) => string;

	/**
	 * @param size how much of what was used last is kept for certain; 0: none
	 * @param kept what is kept of a key, an equal text: `ownCopy`, where keys may be parts of larger ones
	 */
	constructor(size: number, kept = (key: string): string => key) {
		this.#size = size;
		this.#kept = kept;
	}

	get(key: string): T | undefined {
		const value = this.#lately.get(key);
		if (value !== undefined) return value;
		const kept = this.#before.get(key);
		return kept === undefined ? undefined : this.put(key, kept);
	}

	put(key: string, value: T): T {
		if (this.#size === 0) return value;
		if (this.#lately.size >= this.#size && !this.#lately.has(key)) {
			this.#before = this.#lately;
			this.#lately = new Map();
		}
		this.#lately.set(this.#kept(key), value);
		return value;
	}
}
