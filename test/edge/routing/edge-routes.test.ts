import { describe, expect, it } from "vitest";
import { EdgeRoutes } from "../../../src/edge/routing/edge-routes.ts";
import type { TableRoute } from "../../../src/edge/routing/route.ts";

const routeOf = (routeId: string, matchType: string, match: string): TableRoute =>
	({ edgeId: "e", routeId, matchType, match }) as TableRoute;

describe("EdgeRoutes", () => {
	it("finds the whole path before the longest prefix", () => {
		const edge = new EdgeRoutes("e");
		const [all, api, one] = [
			routeOf("all", "path_prefix", "/"),
			routeOf("api", "path_prefix", "/api/"),
			routeOf("one", "exact_path", "/api/one"),
		];
		for (const route of [all, api, one]) edge.list(route);
		expect(edge.find("/x")).toBe(all);
		expect(edge.find("/api/two")).toBe(api);
		expect(edge.find("/api/one")).toBe(one);
		edge.unlist(one);
		expect(edge.find("/api/one")).toBe(api);
	});

	it("finds no whole path behind a longer one, nor in one, nor one that is gone", () => {
		const edge = new EdgeRoutes("e");
		const [short, long] = [routeOf("s", "exact_path", "/a"), routeOf("l", "exact_path", "/a/long")];
		edge.list(short);
		for (const path of ["/", "/a/", "/a/long", "/b"]) expect(edge.find(path)).toBeUndefined();
		edge.list(long);
		expect([edge.find("/a"), edge.find("/a/long"), edge.find("/a/lon")]).toEqual([
			short,
			long,
			undefined,
		]);
		edge.unlist(long);
		expect([edge.find("/a"), edge.find("/a/long")]).toEqual([short, undefined]);
		edge.unlist(short);
		expect(edge.find("/a")).toBeUndefined();
	});

	it("leaves the route alone that has taken a match over", () => {
		const edge = new EdgeRoutes("e");
		const [old, next] = [routeOf("a", "exact_path", "/p"), routeOf("b", "exact_path", "/p")];
		edge.list(old);
		edge.list(next);
		edge.unlist(old);
		expect(edge.find("/p")).toBe(next);
	});

	it("says whether any path beneath a prefix comes to another route", () => {
		const edge = new EdgeRoutes("e");
		edge.list(routeOf("api", "path_prefix", "/api/"));
		expect(edge.hasNoneBelow("/api/")).toBe(true);
		expect(edge.hasNoneBelow("/other/")).toBe(false);
		const one = routeOf("one", "exact_path", "/api/one");
		edge.list(one);
		expect(edge.hasNoneBelow("/api/")).toBe(false);
		edge.unlist(one);
		edge.list(routeOf("deep", "path_prefix", "/api/deep/"));
		expect(edge.hasNoneBelow("/api/")).toBe(false);
		const many = new EdgeRoutes("m");
		many.list(routeOf("api", "path_prefix", "/api/"));
		for (let n = 0; n < 300; n++) many.list(routeOf(`r${n}`, "exact_path", `/x/${n}`));
		expect(many.hasNoneBelow("/api/")).toBe(false);
	});
});
