/**
 * Searching and sorting all routes, one page at a time: some 20 ms for 100,000 of them. Pure. Used by `live-api.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { pageWindow } from "./page-window.ts";
import type { IndexedEdge, IndexedRoute } from "./route-index.ts";
import type { RouteCounts } from "./route-traffic.ts";
import type { RouteSort, SortOrder } from "./shapes.ts";

export interface RouteQuery {
	/** words that all have to be found in a route's name, match, backends or its edge's hostports; any case */
	readonly q: string;
	readonly sort: RouteSort;
	readonly order: SortOrder;
	/** from 1 */
	readonly page: number;
	readonly perPage: number;
}

export interface FoundRoutes {
	readonly names: readonly string[];
	readonly found: number;
}

type Counts = (name: string) => RouteCounts | undefined;

export function searchRoutes(
	routes: readonly IndexedRoute[],
	counts: Counts,
	{ q, sort, order, page, perPage }: RouteQuery,
	nowMs: number,
): FoundRoutes {
	const found = matching(routes, q);
	const start = (page - 1) * perPage;
	const places =
		sort === "name"
			? inOrder(found.length, start, perPage, order)
			: pageWindow(valuesOf(found, counts, sort, order, nowMs), start, perPage);
	return { names: places.map((place) => found[place]?.name ?? ""), found: found.length };
}

function matching(routes: readonly IndexedRoute[], q: string): readonly IndexedRoute[] {
	const words = asciiLowerCase(q).split(/\s+/).filter(Boolean);
	let found = routes;
	for (const word of words) {
		const edges = new Map<IndexedEdge, boolean>();
		const ofEdge = (edge: IndexedEdge): boolean => {
			const known = edges.get(edge) ?? edge.text.includes(word);
			edges.set(edge, known);
			return known;
		};
		found = found.filter(({ text, edge }) => text.includes(word) || ofEdge(edge));
	}
	return found;
}

function inOrder(length: number, start: number, count: number, order: SortOrder): number[] {
	const size = Math.max(Math.min(count, length - start), 0);
	return Array.from({ length: size }, (_, index) =>
		order === "asc" ? start + index : length - 1 - start - index,
	);
}

const VALUES: Readonly<
	Record<Exclude<RouteSort, "name">, (counts: RouteCounts, nowMs: number) => number>
> = {
	requests_per_second: ({ requests }, nowMs) => requests.perSecond(nowMs),
	errors_per_second: ({ errors }, nowMs) => errors.perSecond(nowMs),
	refusals_per_second: ({ refusals }, nowMs) => refusals.perSecond(nowMs),
	requests: ({ requests }) => requests.total,
	errors: ({ errors }) => errors.total,
	refusals: ({ refusals }) => refusals.total,
};

export const ROUTE_SORTS: readonly RouteSort[] = ["name", ...(Object.keys(VALUES) as RouteSort[])];

/** The largest come first in a window, so what is to be first is made the largest. */
function valuesOf(
	found: readonly IndexedRoute[],
	counts: Counts,
	sort: Exclude<RouteSort, "name">,
	order: SortOrder,
	nowMs: number,
): Float64Array {
	const value = VALUES[sort];
	const sign = order === "desc" ? 1 : -1;
	const values = new Float64Array(found.length);
	for (const [place, { name }] of found.entries()) {
		const known = counts(name);
		if (known !== undefined) values[place] = sign * value(known, nowMs);
	}
	return values;
}
