import { expect, it } from "vitest";
import { RouteRows } from "../../../src/telemetry/traffic/route-rows.ts";

const owner = (routeId: string) => ({ edgeId: "e", routeId, row: -1 });

it("counts by route and hundreds of the status, and tells each count once", () => {
	const rows = new RouteRows(10);
	const [a, b] = [owner("a"), owner("b")];
	rows.count(a, 200, false, 1e9);
	rows.count(a, 204, false, 2e9);
	rows.count(a, 503, false, 0);
	rows.count(b, 200, true, 0);
	rows.count(b, 0, false, 0);
	rows.count(b, 999, false, 0);
	rows.count(undefined, 404, false, 0);
	expect(rows.take()).toEqual([
		{ edge: "", route: "", counts: [0, 0, 0, 0, 1, 0, 0], seconds: 0 },
		{ edge: "e", route: "a", counts: [0, 0, 2, 0, 0, 1, 0], seconds: 3 },
		{ edge: "e", route: "b", counts: [2, 0, 0, 0, 0, 0, 1], seconds: 0 },
	]);
	expect(rows.take()).toEqual([]);
});

it("goes on with the row of a route that was replaced by another object", () => {
	const rows = new RouteRows(10);
	rows.count(owner("a"), 200, false, 0);
	rows.count(owner("a"), 200, false, 0);
	expect(rows.take()).toMatchObject([{ route: "a", counts: [0, 0, 2, 0, 0, 0, 0] }]);
});

it("keeps no more rows than it may, and gives those of routes that are gone to others", () => {
	const rows = new RouteRows(2);
	const [a, b, c] = [owner("a"), owner("b"), owner("c")];
	for (const each of [a, b, c]) rows.count(each, 200, false, 0);
	expect(rows.take().map(({ edge, route }) => edge + route)).toEqual(["(others)", "ea", "eb"]);
	rows.count(a, 200, false, 0);
	rows.release(a);
	rows.count(a, 200, false, 0);
	rows.count(c, 200, false, 0);
	const told = rows.take().map(({ edge, route, counts }) => [edge + route, counts[2]]);
	expect(told).toEqual([
		["(others)", 1],
		["ea", 1],
		["ec", 1],
	]);
	rows.release(b);
	rows.take();
	rows.count(owner("d"), 200, false, 0);
	expect(rows.take()).toMatchObject([{ route: "d" }]);
});

it("grows to as many routes as there are", () => {
	const rows = new RouteRows(1000);
	for (let route = 0; route < 500; route++) rows.count(owner(`${route}`), 200, false, 1);
	const taken = rows.take();
	expect(taken).toHaveLength(500);
	expect(taken.every(({ counts }) => counts[2] === 1)).toBe(true);
});
