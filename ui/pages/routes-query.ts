/** What the page of routes asks for: from the page's address, and to the API's. Used by routes.tsx. */
import type { RouteSort, SortOrder } from "../../src/management/live/shapes.ts";

export interface Asked {
	readonly q: string;
	readonly sort: RouteSort;
	readonly order: SortOrder;
	/** from 1 */
	readonly page: number;
}

const PER_PAGE = 50;

const SORTS: Readonly<Record<RouteSort, SortOrder>> = {
	name: "asc",
	requests_per_second: "desc",
	errors_per_second: "desc",
	refusals_per_second: "desc",
	requests: "desc",
	errors: "desc",
	refusals: "desc",
};

const isSort = (value: string | undefined): value is RouteSort =>
	value !== undefined && Object.hasOwn(SORTS, value);

/** What can't be understood is as if it weren't there: people edit addresses. */
export function askedOf(query: Readonly<Record<string, string>>): Asked {
	const sort = isSort(query.sort) ? query.sort : "requests_per_second";
	const order = query.order === "asc" || query.order === "desc" ? query.order : SORTS[sort];
	const page = /^[1-9]\d{0,6}$/.test(query.page ?? "") ? Number(query.page) : 1;
	return { q: query.q ?? "", sort, order, page };
}

/** Without what goes without saying. */
export function queryOf({ q, sort, order, page }: Asked): Record<string, string> {
	return {
		...(q === "" ? {} : { q }),
		...(sort === "requests_per_second" ? {} : { sort }),
		...(order === SORTS[sort] ? {} : { order }),
		...(page === 1 ? {} : { page: String(page) }),
	};
}

export function pathOf({ q, sort, order, page }: Asked): string {
	const parameters = { q, sort, order, page: String(page), per_page: String(PER_PAGE) };
	const search = new URLSearchParams(parameters);
	if (q === "") search.delete("q");
	return `/live/routes?${search}`;
}
