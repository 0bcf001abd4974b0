/**
 * Writes over something that they leave as it is (docs/fleet.md, "Writes"): what a write would do, decided before it is in
 * the log. One lies over the store, and each operation's own over that one, so that an operation that throws has done
 * nothing. Reads like `store/lmdb/database.ts`, also what is odd there. Used by `decide.ts`.
 */
import type { KeyRange, Reads, Writes } from "../store/lmdb/database.ts";

interface Entry {
	readonly key: string;
	/** undefined: removed; or not asked for */
	readonly value: string | undefined;
}

export class Overlay implements Writes {
	readonly #base: Reads;
	/** undefined: removed */
	readonly #values = new Map<string, string | undefined>();
	/** of `#values`, in order */
	readonly #keys: string[] = [];
	/** what lies in these of the base is removed */
	readonly #cleared: KeyRange[] = [];

	constructor(base: Reads) {
		this.#base = base;
	}

	/** Everything that was put or removed, in the order of keys. */
	*written(): Iterable<readonly [key: string, value: string | undefined]> {
		for (const key of this.#keys) yield [key, this.#values.get(key)];
	}

	get cleared(): readonly KeyRange[] {
		return this.#cleared;
	}

	/** Does to another what was done to this one. */
	into(other: Overlay): void {
		for (const range of this.#cleared) other.#clear(range);
		for (const [key, value] of this.written()) other.#set(key, value);
	}

	get(key: string): string | undefined {
		if (this.#values.has(key)) return this.#values.get(key);
		return this.#isCleared(key) ? undefined : this.#base.get(key);
	}

	*range(range: KeyRange): Iterable<{ readonly key: string; readonly value: string }> {
		for (const { key, value } of this.#merged(range, this.#base.range(unlimited(range)))) {
			if (value !== undefined) yield { key, value };
		}
	}

	*keys(range: KeyRange): Iterable<string> {
		for (const { key } of this.#merged(range, entriesOf(this.#base.keys(unlimited(range)))))
			yield key;
	}

	count(range: KeyRange): number {
		if (this.#cleared.length === 0 && this.#ownIn(range).length === 0)
			return this.#base.count(range);
		let count = 0;
		for (const _ of this.keys(range)) count += 1;
		return count;
	}

	put(key: string, value: string): void {
		this.#set(key, value);
	}

	remove(key: string): void {
		this.#set(key, undefined);
	}

	clear(range: KeyRange): number {
		const count = this.count(range);
		this.#clear(range);
		return count;
	}

	#clear(range: KeyRange): void {
		const [from, to] = [this.#placeOf(range.start), this.#placeOf(range.end)];
		for (const key of this.#keys.splice(from, to - from)) this.#values.delete(key);
		// many ranges are cleared in which there is nothing, and each costs every read
		for (const _ of this.#base.keys({ start: range.start, end: range.end, limit: 1 })) {
			this.#cleared.push(range);
			return;
		}
	}

	#set(key: string, value: string | undefined): void {
		if (!this.#values.has(key)) this.#keys.splice(this.#placeOf(key), 0, key);
		this.#values.set(key, value);
	}

	#isCleared(key: string): boolean {
		return this.#cleared.some(({ start, end }) => start <= key && key < end);
	}

	/** Where the first key stands that is not before this one. */
	#placeOf(key: string): number {
		let [from, to] = [0, this.#keys.length];
		while (from < to) {
			const middle = (from + to) >>> 1;
			if ((this.#keys[middle] ?? "") < key) from = middle + 1;
			else to = middle;
		}
		return from;
	}

	/** Own keys as a range of the store has them: one that is walked backwards begins with its end, and has not its start. */
	#ownIn({ start, end, reverse }: KeyRange): readonly string[] {
		if (reverse !== true) return this.#keys.slice(this.#placeOf(start), this.#placeOf(end));
		const inside = this.#keys.slice(this.#placeOf(start), this.#placeOf(`${end}\0`));
		return inside.filter((key) => key !== start).reverse();
	}

	/** @param base all that the range has there. @returns entries that are there, as many as the range may have */
	*#merged(range: KeyRange, base: Iterable<Entry>): Iterable<Entry> {
		let left = range.limit ?? Number.POSITIVE_INFINITY;
		if (left <= 0) return;
		for (const entry of this.#mergedWhole(range, base)) {
			yield entry;
			if (--left === 0) return;
		}
	}

	*#mergedWhole(range: KeyRange, base: Iterable<Entry>): Iterable<Entry> {
		const isBefore = (one: string, other: string): boolean =>
			range.reverse === true ? one > other : one < other;
		const own = this.#ownIn(range);
		let at = 0;
		for (const entry of base) {
			for (let key = own[at]; key !== undefined && isBefore(key, entry.key); key = own[++at])
				yield* this.#own(key);
			if (own[at] !== entry.key && !this.#isCleared(entry.key)) yield entry;
		}
		for (; at < own.length; at++) yield* this.#own(own[at] ?? "");
	}

	*#own(key: string): Iterable<Entry> {
		const value = this.#values.get(key);
		if (value !== undefined) yield { key, value };
	}
}

const unlimited = ({ start, end, reverse }: KeyRange): KeyRange =>
	reverse === undefined ? { start, end } : { start, end, reverse };

function* entriesOf(keys: Iterable<string>): Iterable<Entry> {
	for (const key of keys) yield { key, value: undefined };
}
