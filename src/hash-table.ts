/**
 * A table for what there may be 100,000 of. A `Map` looks into some six places one after the other before it has found
 * something (its head, the bucket, each entry of it and that entry's text), and with so many in use none of them is at hand: 0.2 µs
 * each. Here it is one place, and what is found. With few it is as quick as a `Map`, and it keeps no keys: what is in it knows
 * its own. Open addressing, linear probing, at most half full. Base of `PathTable` (`edge/routing/edge-routes.ts`), of `RowTable`
 * (`telemetry/traffic/route-rows.ts`) and of `PolicyTable` (`edge/policies/shared-policies.ts`).
 */

/** cells of a place: a hash, and what has it */
const WIDTH = 2;
const PLACES_AT_FIRST = 2;

const emptyCells = (places: number): unknown[] => new Array(places * WIDTH).fill(undefined);

/**
 * FNV-1a, its upper bits folded into those that say where to look; 30 bits, which V8 keeps without an object. Who configures
 * weir chooses what is in a table; clients only choose what is looked for.
 */
export function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	}
	return (hash ^ (hash >>> 15)) & 0x3fff_ffff;
}

export abstract class HashTable<Key, Value> {
	/** a power of two of them */
	#cells = emptyCells(PLACES_AT_FIRST);
	#size = 0;

	/** Of 30 bits, the lower ones as good as any. */
	protected abstract hash(key: Key): number;
	protected abstract isOf(value: Value, key: Key): boolean;

	get size(): number {
		return this.#size;
	}

	/** Hot. */
	get(key: Key): Value | undefined {
		const cells = this.#cells;
		const last = cells.length - 1;
		const hash = this.hash(key);
		for (let at = (hash * WIDTH) & last; ; at = (at + WIDTH) & last) {
			const value = cells[at + 1] as Value | undefined;
			if (value === undefined || (cells[at] === hash && this.isOf(value, key))) return value;
		}
	}

	/** In place of the one that has this key. */
	set(key: Key, value: Value): void {
		const hash = this.hash(key);
		let at = this.#find(hash, key);
		if (this.#cells[at + 1] === undefined) {
			this.#size++;
			if (this.#size * 2 * WIDTH > this.#cells.length) {
				this.#grow();
				at = this.#empty(hash);
			}
		}
		this.#put(at, hash, value);
	}

	delete(key: Key): void {
		const cells = this.#cells;
		const last = cells.length - 1;
		let hole = this.#find(this.hash(key), key);
		if (cells[hole + 1] === undefined) return;
		this.#size--;
		// What comes behind it and was kept from its own place moves up, or it would not be found any more.
		for (let at = (hole + WIDTH) & last; cells[at + 1] !== undefined; at = (at + WIDTH) & last) {
			const own = ((cells[at] as number) * WIDTH) & last;
			if (((at - own) & last) < ((at - hole) & last)) continue;
			this.#put(hole, cells[at], cells[at + 1]);
			hole = at;
		}
		this.#put(hole, undefined, undefined);
	}

	*values(): Iterable<Value> {
		for (let at = 1; at < this.#cells.length; at += WIDTH) {
			const value = this.#cells[at] as Value | undefined;
			if (value !== undefined) yield value;
		}
	}

	/** @returns where it is, or would be */
	#find(hash: number, key: Key): number {
		const cells = this.#cells;
		const last = cells.length - 1;
		for (let at = (hash * WIDTH) & last; ; at = (at + WIDTH) & last) {
			const value = cells[at + 1] as Value | undefined;
			if (value === undefined || (cells[at] === hash && this.isOf(value, key))) return at;
		}
	}

	/** @returns where something that is not there has its place */
	#empty(hash: number): number {
		const last = this.#cells.length - 1;
		let at = (hash * WIDTH) & last;
		while (this.#cells[at + 1] !== undefined) at = (at + WIDTH) & last;
		return at;
	}

	#put(at: number, hash: unknown, value: unknown): void {
		this.#cells[at] = hash;
		this.#cells[at + 1] = value;
	}

	/** What is in it is not looked at. */
	#grow(): void {
		const before = this.#cells;
		this.#cells = emptyCells(before.length);
		for (let at = 0; at < before.length; at += WIDTH) {
			if (before[at + 1] === undefined) continue;
			const hash = before[at] as number;
			this.#put(this.#empty(hash), hash, before[at + 1]);
		}
	}
}
