/** Keeps what was used last, up to a number: patterns (`pattern/`), and the shapes of code (`lower/shapes.ts`). */

export class Cache<T> {
	/** least recently put first */
	readonly #entries = new Map<string, T>();
	readonly #most: number;

	constructor(most: number) {
		this.#most = most;
	}

	get(key: string): T | undefined {
		const value = this.#entries.get(key);
		if (value === undefined) return undefined;
		this.#entries.delete(key);
		this.#entries.set(key, value);
		return value;
	}

	put(key: string, value: T): T {
		this.#entries.delete(key);
		this.#entries.set(key, value);
		if (this.#entries.size > this.#most) {
			const [oldest] = this.#entries.keys();
			if (oldest !== undefined) this.#entries.delete(oldest);
		}
		return value;
	}
}
