/**
 * A table for what there may be 100,000 of. A `Map` looks into its head, the bucket, each entry of it and that entry's text, one
 * after the other, before it has found something, and with so many in use none of them is at hand: up to 0.2 µs each. Here it is
 * one place of an array, and what is found; a single one is compared and nothing else. It keeps no keys: what is in it knows its
 * own. A key costs 2 to 4 ns a character, where V8 hashes at 1 or 2. Open addressing, linear probing, at most half full.
 * Base of `EdgeRoutes` (`edge/routing/`), of `RowTable` (`telemetry/traffic/route-rows.ts`), `PolicyTable`
 * (`edge/policies/shared-policies.ts`) and `AuthorityTable` (`edge/request/authorities.ts`).
 */

/** cells of a place: a hash, and what has it */
const WIDTH = 2;
const CELLS_AT_FIRST = 4 * WIDTH;
/** A table that has been larger has at most so many cells for each that is left. */
const SHRINKS_FROM = 8 * WIDTH;

const emptyCells = (length: number): unknown[] => new Array(length).fill(undefined);

/** Of each process another, so that nobody who chooses keys (routes, hosts) finds many of one hash. */
const SEED = Math.trunc(Math.random() * 0x1_0000_0000) | 0;

/**
 * FNV-1a, its upper bits folded into those that say where to look; 30 bits, which V8 keeps without an object.
 * @param before the hash of what stands in front of the text
 */
export function hashOf(text: string, before = SEED): number {
	let hash = before;
	for (let at = 0; at < text.length; at++) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	}
	return (hash ^ (hash >>> 15)) & 0x3fff_ffff;
}

export abstract class HashTable<Key, Value> {
	/** while there are no cells */
	#only: Value | undefined;
	#onlyHash = 0;
	/** a power of two of them; undefined: there has never been more than one */
	#cells: unknown[] | undefined;
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
		if (cells === undefined) {
			const only = this.#only;
			return only !== undefined && this.isOf(only, key) ? only : undefined;
		}
		return cells[this.#find(cells, this.hash(key), key) + 1] as Value | undefined;
	}

	/** In place of the one that has this key. */
	set(key: Key, value: Value): void {
		const hash = this.hash(key);
		const only = this.#only;
		if (this.#cells === undefined && (only === undefined || this.isOf(only, key))) {
			this.#only = value;
			this.#onlyHash = hash;
			this.#size = 1;
			return;
		}
		let cells = this.#cells ?? this.#makeCells();
		let at = this.#find(cells, hash, key);
		if (cells[at + 1] === undefined) {
			this.#size++;
			if (this.#size * 2 * WIDTH > cells.length) {
				cells = this.#resized(cells, cells.length * 2);
				at = emptyPlace(cells, hash);
			}
		}
		cells[at] = hash;
		cells[at + 1] = value;
	}

	delete(key: Key): void {
		const cells = this.#cells;
		if (cells === undefined) {
			if (this.get(key) === undefined) return;
			this.#only = undefined;
			this.#size = 0;
			return;
		}
		const last = cells.length - 1;
		let hole = this.#find(cells, this.hash(key), key);
		if (cells[hole + 1] === undefined) return;
		this.#size--;
		// What comes behind it and was kept from its own place moves up, or it would not be found any more.
		for (let at = (hole + WIDTH) & last; cells[at + 1] !== undefined; at = (at + WIDTH) & last) {
			const own = ((cells[at] as number) * WIDTH) & last;
			if (((at - own) & last) < ((at - hole) & last)) continue;
			cells[hole] = cells[at];
			cells[hole + 1] = cells[at + 1];
			hole = at;
		}
		cells[hole] = undefined;
		cells[hole + 1] = undefined;
		const isRoomy = cells.length > CELLS_AT_FIRST && this.#size * SHRINKS_FROM < cells.length;
		if (isRoomy) this.#resized(cells, cells.length / 2);
	}

	*values(): Iterable<Value> {
		if (this.#only !== undefined) yield this.#only;
		const cells = this.#cells ?? [];
		for (let at = 1; at < cells.length; at += WIDTH) {
			const value = cells[at] as Value | undefined;
			if (value !== undefined) yield value;
		}
	}

	/** Hot. @returns where it is, or would be */
	#find(cells: readonly unknown[], hash: number, key: Key): number {
		const last = cells.length - 1;
		for (let at = (hash * WIDTH) & last; ; at = (at + WIDTH) & last) {
			const value = cells[at + 1] as Value | undefined;
			if (value === undefined || (cells[at] === hash && this.isOf(value, key))) return at;
		}
	}

	/** There will be a second one. */
	#makeCells(): unknown[] {
		const cells = emptyCells(CELLS_AT_FIRST);
		const at = emptyPlace(cells, this.#onlyHash);
		cells[at] = this.#onlyHash;
		cells[at + 1] = this.#only;
		this.#only = undefined;
		this.#cells = cells;
		return cells;
	}

	/** What is in it is not looked at. */
	#resized(before: readonly unknown[], length: number): unknown[] {
		const cells = emptyCells(length);
		for (let from = 0; from < before.length; from += WIDTH) {
			if (before[from + 1] === undefined) continue;
			const at = emptyPlace(cells, before[from] as number);
			cells[at] = before[from];
			cells[at + 1] = before[from + 1];
		}
		this.#cells = cells;
		return cells;
	}
}

/** @returns where something that is not there has its place */
function emptyPlace(cells: readonly unknown[], hash: number): number {
	const last = cells.length - 1;
	let at = (hash * WIDTH) & last;
	while (cells[at + 1] !== undefined) at = (at + WIDTH) & last;
	return at;
}
