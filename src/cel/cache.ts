/**
 * Keeps what was used last, a number of it for certain and twice as much at most: patterns (`pattern/`), the shapes of code
 * (`lower/shapes.ts`), moulds (`alike/moulds.ts`), places of addresses (`edge/geo.ts`), hosts and names of header fields
 * (`edge/request/`), rates (`policy/actions/`). What was
 * used is in one of two tables, that of late or that of before; when the one is full, the other is forgotten. So a look for
 * what is used often changes nothing.
 */

interface Table<T> {
	readonly size: number;
	get(key: string): T | undefined;
	set(key: string, value: T): unknown;
}

export class Cache<T> {
	#lately: Table<T>;
	#before: Table<T>;
	readonly #size: number;
	readonly #kept: (key: string) => string;
	readonly #newTable: () => Table<T>;

	/**
	 * @param size how much of what was used last is kept for certain; 0: none
	 * @param kept what is kept of a key, an equal text: `ownCopy`, where keys may be parts of larger ones
	 * @param newTable one that is faster than a `Map` at what is kept
	 */
	constructor(
		size: number,
		kept = (key: string): string => key,
		newTable: () => Table<T> = () => new Map<string, T>(),
	) {
		this.#size = size;
		this.#kept = kept;
		this.#newTable = newTable;
		this.#lately = newTable();
		this.#before = newTable();
	}

	get(key: string): T | undefined {
		const value = this.#lately.get(key);
		if (value !== undefined) return value;
		const kept = this.#before.get(key);
		return kept === undefined ? undefined : this.put(key, kept);
	}

	put(key: string, value: T): T {
		if (this.#size === 0) return value;
		if (this.#lately.size >= this.#size && this.#lately.get(key) === undefined) {
			this.#before = this.#lately;
			this.#lately = this.#newTable();
		}
		this.#lately.set(this.#kept(key), value);
		return value;
	}
}
