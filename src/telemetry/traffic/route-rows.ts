/**
 * What a worker counts of each route: a row of numbers in one table for all, because there may be 100,000 routes. A
 * route gets its row with its first request and keeps the row's number, so that counting is adding to a place that is
 * known. Used by `worker-traffic.ts`.
 */

/** Numbers of a row: answers by hundreds of the status, clients that left, seconds of all. */
export const ROUTE_COUNTS = ["other", "1xx", "2xx", "3xx", "4xx", "5xx", "aborted"] as const;
const ABORTED = ROUTE_COUNTS.indexOf("aborted");
const NANOSECONDS = ROUTE_COUNTS.length;
const WIDTH = NANOSECONDS + 1;
const ROWS_AT_FIRST = 64;

/** As the routes of a worker hold it (`edge/routing/route.ts`). */
export interface RouteOwner {
	readonly edgeId: string;
	readonly routeId: string;
	/** set here alone; -1: it has none yet */
	row: number;
}

/** Of one route: what was counted since it was last told. */
export interface RouteChange {
	readonly edge: string;
	/** empty with `edge`: requests that no route was found for; `OTHER_ROUTES`: routes without a row of their own */
	readonly route: string;
	/** in the order of `ROUTE_COUNTS` */
	readonly counts: readonly number[];
	readonly seconds: number;
}

/** No edge can have it as its id. */
export const OTHER_ROUTES = "(others)";
const NO_ROUTE_ROW = 0;
const OTHERS_ROW = 1;

export class RouteRows {
	readonly #max: number;
	readonly #rows = new Map<string, number>();
	readonly #owners: (readonly [edge: string, route: string] | undefined)[] = [
		["", ""],
		[OTHER_ROUTES, ""],
	];
	readonly #free: number[] = [];
	/** of routes that are gone, to be free when they have been told of */
	#leaving: number[] = [];
	#values = new Float64Array(ROWS_AT_FIRST * WIDTH);

	/** @param max rows at a time; further routes share one */
	constructor(max: number) {
		this.#max = max;
	}

	/** Hot. @param owner undefined: no route was found */
	count(
		owner: RouteOwner | undefined,
		statusCode: number,
		isAborted: boolean,
		nanoseconds: number,
	): void {
		let row = NO_ROUTE_ROW;
		if (owner !== undefined) row = owner.row < 0 ? this.#give(owner) : owner.row;
		const values = this.#values;
		const hundreds = (statusCode / 100) | 0;
		const of = isAborted ? ABORTED : hundreds > 5 || hundreds < 1 ? 0 : hundreds;
		const at = row * WIDTH;
		values[at + of] = (values[at + of] ?? 0) + 1;
		values[at + NANOSECONDS] = (values[at + NANOSECONDS] ?? 0) + nanoseconds;
	}

	/** The route is gone. What still counts for it counts for others. */
	release(owner: RouteOwner): void {
		const key = keyOf(owner.edgeId, owner.routeId);
		const row = this.#rows.get(key);
		owner.row = OTHERS_ROW;
		if (row === undefined) return;
		this.#rows.delete(key);
		this.#leaving.push(row);
	}

	/** What was counted since the last call. */
	take(): RouteChange[] {
		const changes: RouteChange[] = [];
		const values = this.#values;
		for (const [row, owner] of this.#owners.entries()) {
			if (owner === undefined) continue;
			const own = values.subarray(row * WIDTH, (row + 1) * WIDTH);
			if (own.every((value) => value === 0)) continue;
			const [edge, route] = owner;
			const counts = Array.from(own.subarray(0, NANOSECONDS));
			changes.push({ edge, route, counts, seconds: (own[NANOSECONDS] ?? 0) / 1e9 });
			own.fill(0);
		}
		for (const row of this.#leaving) this.#owners[row] = undefined;
		this.#free.push(...this.#leaving);
		this.#leaving = [];
		return changes;
	}

	#give(owner: RouteOwner): number {
		const { edgeId, routeId } = owner;
		const key = keyOf(edgeId, routeId);
		let row = this.#rows.get(key);
		if (row === undefined) {
			if (this.#rows.size >= this.#max) return OTHERS_ROW;
			row = this.#free.shift() ?? this.#owners.length;
			this.#owners[row] = [edgeId, routeId];
			this.#rows.set(key, row);
			this.#grow(row);
		}
		owner.row = row;
		return row;
	}

	#grow(row: number): void {
		const before = this.#values;
		if ((row + 1) * WIDTH <= before.length) return;
		this.#values = new Float64Array(before.length * 2);
		this.#values.set(before);
	}
}

/** Ids hold no such character. */
const keyOf = (edge: string, route: string): string => `${edge}\n${route}`;
