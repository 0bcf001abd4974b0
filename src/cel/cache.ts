/**
 * Keeps what was used lately, up to a number: patterns (`pattern/`), the shapes of code (`lower/shapes.ts`), moulds
 * (`alike/moulds.ts`). What was used is in one of two tables, that of late or that of before; when the one is half the
 * number, the other is forgotten. So a look for what is used often changes nothing.
 */

export class Cache<T> {
	#lately = new Map<string, T>();
	#before = new Map<string, T>();
	readonly #half: number;

	/** @param most an even number; 0: none */
	constructor(most: number) {
		this.#half = most >> 1;
	}

	get(key: string): T | undefined {
		const value = this.#lately.get(key);
		if (value !== undefined) return value;
		const kept = this.#before.get(key);
		return kept === undefined ? undefined : this.put(key, kept);
	}

	put(key: string, value: T): T {
		if (this.#half === 0) return value;
		if (this.#lately.size >= this.#half && !this.#lately.has(key)) {
			this.#before = this.#lately;
			this.#lately = new Map();
		}
		this.#lately.set(key, value);
		return value;
	}
}
