/**
 * Routes by their whole path (contract 6). A table of our own for one reason: memory. With 100,000 routes in use nothing of
 * them is at hand, and a `Map` looks into some six places one after the other (its head, the bucket, each entry of it and that
 * entry's text) before it comes to a route; here it is one, and the route. With few routes it is as quick as a `Map`.
 * Open addressing, linear probing, at most half full. Made by `edge-routes.ts`.
 */

/** numbers of a place: a path's hash, and its route */
const WIDTH = 2;
const PLACES_AT_FIRST = 2;

interface Matched {
	/** the path, in normal form */
	readonly match: string;
}

const emptyCells = (places: number): unknown[] => new Array(places * WIDTH).fill(undefined);

/**
 * FNV-1a, its upper bits folded into those that say where to look; 30 bits, which V8 keeps without an object. Who configures
 * routes chooses what is in a table; clients only choose what is looked for.
 */
export function hashOf(path: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < path.length; at++) {
		hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
	}
	return (hash ^ (hash >>> 15)) & 0x3fff_ffff;
}

export class PathTable<Route extends Matched> {
	/** a power of two of them */
	#cells = emptyCells(PLACES_AT_FIRST);
	#size = 0;

	get size(): number {
		return this.#size;
	}

	/** Hot. */
	get(path: string): Route | undefined {
		const cells = this.#cells;
		const last = cells.length - 1;
		const hash = hashOf(path);
		for (let at = (hash * WIDTH) & last; ; at = (at + WIDTH) & last) {
			const route = cells[at + 1] as Route | undefined;
			if (route === undefined) return undefined;
			if (cells[at] === hash && route.match === path) return route;
		}
	}

	/** In place of the one that has this path. */
	set(route: Route): void {
		const hash = hashOf(route.match);
		const at = this.#find(hash, route.match);
		const isNew = this.#cells[at + 1] === undefined;
		if (isNew && (this.#size + 1) * 2 * WIDTH > this.#cells.length) {
			this.#grow();
			this.#put(this.#find(hash, route.match), hash, route);
		} else this.#put(at, hash, route);
		if (isNew) this.#size++;
	}

	delete(path: string): void {
		const cells = this.#cells;
		const last = cells.length - 1;
		let hole = this.#find(hashOf(path), path);
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

	*paths(): Iterable<string> {
		for (let at = 1; at < this.#cells.length; at += WIDTH) {
			const route = this.#cells[at] as Route | undefined;
			if (route !== undefined) yield route.match;
		}
	}

	/** @returns where it is, or would be */
	#find(hash: number, path: string): number {
		const cells = this.#cells;
		const last = cells.length - 1;
		let at = (hash * WIDTH) & last;
		for (; ; at = (at + WIDTH) & last) {
			const route = cells[at + 1] as Route | undefined;
			if (route === undefined || (cells[at] === hash && route.match === path)) return at;
		}
	}

	#put(at: number, hash: unknown, route: unknown): void {
		this.#cells[at] = hash;
		this.#cells[at + 1] = route;
	}

	#grow(): void {
		const before = this.#cells;
		this.#cells = emptyCells(before.length);
		for (let at = 0; at < before.length; at += WIDTH) {
			const route = before[at + 1] as Route | undefined;
			if (route === undefined) continue;
			const hash = before[at] as number;
			this.#put(this.#find(hash, route.match), hash, route);
		}
	}
}
