/** Searching and sorting routes, against what a plain filter and sort would do. */
import { describe, expect, it } from "vitest";
import type { IndexedRoute } from "../../../src/management/live/route-index.ts";
import { type RouteQuery, searchRoutes } from "../../../src/management/live/route-search.ts";
import { RouteTraffic } from "../../../src/management/live/route-traffic.ts";

const edge = { edgeId: "shop", text: "shop.example *.Shop.example" };
const other = { edgeId: "blog", text: "blog.example" };
const indexed = (name: string, text: string, of = edge): IndexedRoute => ({
	...{ name, edge: of, text: `${name} ${text}` },
});
const ROUTES = [
	indexed("blog/all", "/ http://10.0.0.1:9000", other),
	indexed("shop/api", "/api/ http://10.0.0.2:9000"),
	indexed("shop/cart", "/cart http://10.0.0.3:9000"),
	indexed("shop/home", "/ http://10.0.0.3:9000"),
];

const traffic = new RouteTraffic();
const NOW = 1_000_000;
for (const [name, requests, errors] of [
	["api", 10, 0],
	["cart", 30, 2],
] as const) {
	const counts = traffic.at("shop", name);
	counts.requests.add(requests, 1, NOW);
	counts.errors.add(errors, 1, NOW);
}

const search = (query: Partial<RouteQuery>) =>
	searchRoutes(
		ROUTES,
		(name) => traffic.of(name),
		{ q: "", sort: "name", order: "asc", page: 1, perPage: 10, ...query },
		NOW,
	);

describe("search", () => {
	it.each([
		["", 4],
		["SHOP", 3],
		["cart", 1],
		["10.0.0.3 /", 2],
		["blog.example", 1],
		["blog.example cart", 0],
		["nothing", 0],
	])("%j finds %d", (q, found) => {
		expect(search({ q }).found).toBe(found);
	});

	it("goes by name, and back", () => {
		expect(search({ perPage: 3 }).names).toEqual(["blog/all", "shop/api", "shop/cart"]);
		expect(search({ perPage: 3, page: 2 }).names).toEqual(["shop/home"]);
		expect(search({ order: "desc", perPage: 2 }).names).toEqual(["shop/home", "shop/cart"]);
		expect(search({ page: 99 })).toEqual({ names: [], found: 4 });
	});

	it("goes by what routes have had, those without anything by name", () => {
		const byRate = { sort: "requests_per_second", order: "desc" } as const;
		expect(search(byRate).names).toEqual(["shop/cart", "shop/api", "blog/all", "shop/home"]);
		expect(search({ ...byRate, order: "asc" }).names).toEqual([
			...["blog/all", "shop/home"],
			...["shop/api", "shop/cart"],
		]);
		expect(search({ sort: "errors", order: "desc", perPage: 1 }).names).toEqual(["shop/cart"]);
	});
});
