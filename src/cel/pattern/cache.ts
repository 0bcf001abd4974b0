/** Keeps the patterns that were used last, up to a number: opened ones, and those that come with requests. */

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
