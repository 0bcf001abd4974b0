/** One value that changes, and components that are drawn again when it does. Used by session.ts and all pages. */
import { useEffect, useState } from "preact/hooks";

export class Store<T> {
	#value: T;
	readonly #listeners = new Set<(value: T) => void>();

	constructor(value: T) {
		this.#value = value;
	}

	get value(): T {
		return this.#value;
	}

	set(value: T): void {
		if (Object.is(value, this.#value)) return;
		this.#value = value;
		for (const listener of this.#listeners) listener(value);
	}

	update(change: (value: T) => T): void {
		this.set(change(this.#value));
	}

	/** @returns ends it */
	listen(listener: (value: T) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}

export function useStore<T>(store: Store<T>): T {
	const [value, set] = useState(() => store.value);
	useEffect(() => {
		set(() => store.value);
		return store.listen((next) => set(() => next));
	}, [store]);
	return value;
}
