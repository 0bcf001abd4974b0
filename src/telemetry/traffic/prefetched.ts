/**
 * Memory asked for ahead. With 100,000 routes in use the numbers of one are never at hand, and a processor that comes to them
 * when a request is over waits for each by itself, some 0.2 µs. Read when the request has found its route, they come while
 * something else is waited for: a tenth of such a request. Used by `route-rows.ts` and `rule-counts.ts`.
 */

/** A read whose value goes nowhere is left out by V8's optimiser. */
const NOWHERE = new Float64Array(1);

/** Hot. A list and a place, for a number that is handed over costs an object. */
export function prefetch(values: Float64Array, at: number): void {
	NOWHERE[0] = values[at] ?? 0;
}

/** Hot. As `prefetch`, of a list of other values. */
export function prefetchValue(values: readonly unknown[], at: number): void {
	NOWHERE[0] = values[at] === undefined ? 1 : 0;
}
