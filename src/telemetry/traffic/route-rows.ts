/**
 * What a worker counts of each route: a row of numbers in one table for all, because there may be 100,000 routes. A
 * route gets its row with its first request and keeps the row's number, so that counting is adding to a place that is
 * known. Used by `worker-traffic.ts`.
 */
import { HashTable, hashOf } from "../../hash-table.ts";
import { ChangedPlaces } from "./changed-places.ts";
import { prefetch, prefetchValue } from "./prefetched.ts";

/** Numbers of a row: answers by hundreds of the status, clients that left, seconds of all. */
export const ROUTE_COUNTS = ["other", "1xx", "2xx", "3xx", "4xx", "5xx", "aborted"] as const;
const ABORTED = ROUTE_COUNTS.indexOf("aborted");
const NANOSECONDS = ROUTE_COUNTS.length;
const WIDTH = NANOSECONDS + 1;
const ROWS_AT_FIRST = 64;

/** Ids hold no such character. */
export const routeKey = (edge: string, route: string): string => `${edge}\n${route}`;

/** As the live page and the store name a route. */
export const routeName = (edge: string, route: string): string => `${edge}/${route}`;

/** What tables of routes know it by, made once. */
export class RouteIds {
	readonly edge: string;
	readonly route: string;
	/** as `routeKey` */
	readonly key: string;
	/** as `routeName` */
	readonly name: string;

	constructor(edge: string, route: string) {
		this.edge = edge;
		this.route = route;
		this.key = routeKey(edge, route);
		this.name = routeName(edge, route);
	}
}

/** The key of the route that was counted for. */
export const keyOf = ({ ids, edge, route }: Pick<RouteChange, "ids" | "edge" | "route">): string =>
	ids?.key ?? routeKey(edge, route);

/** Of many routes once a second: without a list of its own for each. @param into as many numbers as `counts` */
export function addCounts(into: number[], counts: readonly number[]): void {
	for (let at = 0; at < ROUTE_COUNTS.length; at++) into[at] = (into[at] ?? 0) + (counts[at] ?? 0);
}

/** How many requests they are. */
export function requestsIn(counts: readonly number[]): number {
	let sum = 0;
	for (let at = 0; at < counts.length; at++) sum += counts[at] ?? 0;
	return sum;
}

export const UNCOUNTED = -1;
const WITHOUT_ROW = -2;

/** As the routes of a worker hold it (`edge/routing/route.ts`). */
export interface RouteOwner {
	readonly edgeId: string;
	readonly routeId: string;
	/** set here alone; `UNCOUNTED`: no request has come to it; `WITHOUT_ROW`: some have, and there was none left */
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
	/** where it has been told of before */
	readonly ids?: RouteIds;
}

/** No edge can have it as its id. */
export const OTHER_ROUTES = "(others)";
const NO_ROUTE_ROW = 0;
const OTHERS_ROW = 1;

/** Rows by whose they are. */
class RowTable extends HashTable<Pick<RouteOwner, "edgeId" | "routeId">, number> {
	readonly #edges: readonly (string | undefined)[];
	readonly #routes: readonly string[];

	/** @param edges of each row @param routes of each row */
	constructor(edges: readonly (string | undefined)[], routes: readonly string[]) {
		super();
		this.#edges = edges;
		this.#routes = routes;
	}

	protected hash({ edgeId, routeId }: Pick<RouteOwner, "edgeId" | "routeId">): number {
		return hashOf(routeId, hashOf(edgeId));
	}
	protected isOf(row: number, owner: Pick<RouteOwner, "edgeId" | "routeId">): boolean {
		return this.#routes[row] === owner.routeId && this.#edges[row] === owner.edgeId;
	}
}

export class RouteRows {
	readonly #max: number;
	readonly #rows: RowTable;
	/** whose row it is: two lists and no pairs, which would be one more look into memory for each request */
	readonly #edges: (string | undefined)[] = ["", OTHER_ROUTES];
	readonly #routes: string[] = ["", ""];
	readonly #free: number[] = [];
	/** of routes that are gone: what they had counted */
	#gone: RouteChange[] = [];
	#values = new Float64Array(ROWS_AT_FIRST * WIDTH);
	readonly #changed = new ChangedPlaces();

	/** @param max rows at a time; further routes share one */
	constructor(max: number) {
		this.#max = max;
		this.#rows = new RowTable(this.#edges, this.#routes);
	}

	/** Hot. @param owner undefined: no route was found @param nanoseconds of all @param times so many requests */
	count(
		owner: RouteOwner | undefined,
		statusCode: number,
		isAborted: boolean,
		nanoseconds: number,
		times = 1,
	): void {
		let row = NO_ROUTE_ROW;
		if (owner !== undefined) row = owner.row < 0 ? this.#give(owner) : this.#checked(owner);
		const values = this.#values;
		const hundreds = (statusCode / 100) | 0;
		const of = isAborted ? ABORTED : hundreds > 5 || hundreds < 1 ? 0 : hundreds;
		const at = row * WIDTH;
		values[at + of] = (values[at + of] ?? 0) + times;
		values[at + NANOSECONDS] = (values[at + NANOSECONDS] ?? 0) + nanoseconds;
		this.#changed.add(row);
	}

	/** Hot. To be called when a request comes to a route: what `count` will need is asked for. */
	prefetch({ row }: RouteOwner): void {
		if (row < 0) return;
		const at = row * WIDTH;
		prefetch(this.#values, at);
		prefetch(this.#values, at + NANOSECONDS);
		// The lists' own memory: texts are told apart by where they are.
		prefetchValue(this.#edges, row);
		prefetchValue(this.#routes, row);
	}

	/** The route is gone, and its row is free for another. What still counts for it counts for others. */
	release(owner: RouteOwner): void {
		const row = this.#rows.get(owner);
		owner.row = OTHERS_ROW;
		if (row === undefined) return;
		if (this.#hasCounted(row)) this.#leave(this.#taken(row, owner.edgeId, owner.routeId));
		this.#rows.delete(owner);
		this.#edges[row] = undefined;
		this.#free.push(row);
	}

	/**
	 * What was counted and not told yet, of so many routes at most.
	 * @param rows gets the row of each, -1 for one that has none any more
	 */
	take(most = Number.POSITIVE_INFINITY, rows: number[] = []): RouteChange[] {
		const changes = this.#gone.splice(0, most);
		for (let left = changes.length; left > 0; left--) rows.push(-1);
		while (changes.length < most) {
			const row = this.#changed.next();
			if (row < 0) break;
			const edge = this.#edges[row];
			if (edge === undefined || !this.#hasCounted(row)) continue;
			changes.push(this.#taken(row, edge, this.#routes[row] ?? ""));
			rows.push(row);
		}
		return changes;
	}

	/** Nobody asks for long, and routes come and go: those that are gone are others then. */
	#leave(change: RouteChange): void {
		if (this.#gone.length < this.#max) {
			this.#gone.push(change);
			return;
		}
		const at = OTHERS_ROW * WIDTH;
		const numbers = [...change.counts, change.seconds * 1e9];
		for (const [place, number] of numbers.entries())
			this.#values[at + place] = (this.#values[at + place] ?? 0) + number;
		this.#changed.add(OTHERS_ROW);
	}

	/** Its numbers, which begin anew. */
	#taken(row: number, edge: string, route: string): RouteChange {
		const values = this.#values;
		const from = row * WIDTH;
		const counts: number[] = [];
		for (let at = from; at < from + NANOSECONDS; at++) counts.push(values[at] ?? 0);
		const seconds = (values[from + NANOSECONDS] ?? 0) / 1e9;
		values.fill(0, from, from + WIDTH);
		return { edge, route, counts, seconds };
	}

	#hasCounted(row: number): boolean {
		for (let at = row * WIDTH; at < (row + 1) * WIDTH; at++) {
			if (this.#values[at] !== 0) return true;
		}
		return false;
	}

	/**
	 * Hot. A route that was changed while a request of its own was under way left an object behind that `release` does not
	 * know; when the route is gone, its row is perhaps another's.
	 */
	#checked({ row, edgeId, routeId }: RouteOwner): number {
		const isOwn = this.#routes[row] === routeId && this.#edges[row] === edgeId;
		return isOwn ? row : OTHERS_ROW;
	}

	#give(owner: RouteOwner): number {
		const { edgeId, routeId } = owner;
		let row = this.#rows.get(owner);
		if (row === undefined) {
			if (this.#rows.size >= this.#max) {
				owner.row = WITHOUT_ROW;
				return OTHERS_ROW;
			}
			row = this.#free.pop() ?? this.#edges.length;
			this.#edges[row] = edgeId;
			this.#routes[row] = routeId;
			this.#rows.set(owner, row);
			this.#grow(row);
		}
		owner.row = row;
		return row;
	}

	#grow(row: number): void {
		this.#changed.reach(row);
		const before = this.#values;
		if ((row + 1) * WIDTH <= before.length) return;
		this.#values = new Float64Array(before.length * 2);
		this.#values.set(before);
	}
}
