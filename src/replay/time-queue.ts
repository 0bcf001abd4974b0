/**
 * What is to be done in the order of time, what has the same time in the order in which it came: a binary heap. Holds the
 * lines that wait for earlier ones, and what rate-limits count when an answer is sent. Used by `reordering.ts` and `simulation.ts`.
 */
interface Held<T> {
	readonly atMs: number;
	readonly order: number;
	readonly item: T;
}

export class TimeQueue<T> {
	readonly #heap: Held<T>[] = [];
	#count = 0;

	get size(): number {
		return this.#heap.length;
	}

	/** of what comes next; infinite if there is nothing */
	get nextMs(): number {
		return this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY;
	}

	add(atMs: number, item: T): void {
		const held = { atMs, order: this.#count++, item };
		const heap = this.#heap;
		let at = heap.length;
		while (at > 0) {
			const above = (at - 1) >> 1;
			const parent = heap[above];
			if (parent === undefined || isBefore(parent, held)) break;
			heap[at] = parent;
			at = above;
		}
		heap[at] = held;
	}

	take(): T | undefined {
		const heap = this.#heap;
		const [first] = heap;
		const last = heap.pop();
		if (first === undefined || last === undefined) return undefined;
		if (heap.length > 0) this.#sink(last);
		return first.item;
	}

	#sink(held: Held<T>): void {
		const heap = this.#heap;
		let at = 0;
		for (;;) {
			const left = 2 * at + 1;
			const one = heap[left];
			if (one === undefined) break;
			const other = heap[left + 1];
			const isRight = other !== undefined && isBefore(other, one);
			const child = isRight ? other : one;
			if (isBefore(held, child)) break;
			heap[at] = child;
			at = isRight ? left + 1 : left;
		}
		heap[at] = held;
	}
}

const isBefore = <T>(one: Held<T>, other: Held<T>): boolean =>
	one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
