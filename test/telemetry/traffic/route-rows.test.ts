import fc from "fast-check";
import { expect, it } from "vitest";
import { RouteRows, UNCOUNTED } from "../../../src/telemetry/traffic/route-rows.ts";

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
	expect(c.row, "it is known that requests come to it").not.toBe(UNCOUNTED);
	expect(rows.take().map(({ edge, route }) => edge + route)).toEqual(["(others)", "ea", "eb"]);
	rows.count(a, 200, false, 0);
	rows.release(a);
	rows.count(a, 200, false, 0);
	rows.count(c, 200, false, 0);
	const told = rows.take().map(({ edge, route, counts }) => [edge + route, counts[2]]);
	expect(told).toEqual([
		["ea", 1],
		["(others)", 1],
		["ec", 1],
	]);
	rows.release(b);
	rows.take();
	rows.count(owner("d"), 200, false, 0);
	expect(rows.take()).toMatchObject([{ route: "d" }]);
});

it("tells of so many routes at a time, each in its turn", () => {
	const rows = new RouteRows(10);
	const owners = ["a", "b", "c"].map(owner);
	const count = () => owners.map((each) => rows.count(each, 200, false, 0));
	count();
	expect(rows.take(2)).toMatchObject([{ route: "a" }, { route: "b" }]);
	count();
	expect(rows.take(2)).toMatchObject([
		{ route: "c", counts: [0, 0, 2, 0, 0, 0, 0] },
		{ route: "a", counts: [0, 0, 1, 0, 0, 0, 0] },
	]);
	rows.release(owners[1] ?? owner("b"));
	expect(rows.take()).toMatchObject([{ route: "b" }]);
	expect(rows.take()).toEqual([]);
});

it("grows to as many routes as there are", () => {
	const rows = new RouteRows(1000);
	for (let route = 0; route < 500; route++) rows.count(owner(`${route}`), 200, false, 1);
	const taken = rows.take();
	expect(taken).toHaveLength(500);
	expect(taken.every(({ counts }) => counts[2] === 1)).toBe(true);
});

it("counts for others what a route's old object ends after the route is gone, and its row is another's", () => {
	const rows = new RouteRows(10);
	const before = owner("a");
	rows.count(before, 200, false, 0);
	const now = owner("a");
	rows.count(now, 200, false, 0);
	rows.release(now);
	rows.count(owner("b"), 200, false, 0);
	rows.count(before, 200, false, 0);
	const told = () => rows.take().map(({ edge, route, counts }) => [edge + route, counts[2]]);
	expect(told()).toEqual([
		["ea", 2],
		["(others)", 1],
		["eb", 1],
	]);
	rows.count(owner("a"), 200, false, 0);
	rows.count(before, 200, false, 0);
	expect(told()).toEqual([
		["ea", 1],
		["(others)", 1],
	]);
});

it("has rows for routes that come and go while more are busy than are told of at a time", () => {
	const rows = new RouteRows(8);
	const busy = ["a", "b", "c", "d"].map(owner);
	const sums = new Map<string, number>();
	const take = (most: number) => {
		for (const { edge, route, counts } of rows.take(most))
			sums.set(edge + route[0], (sums.get(edge + route[0]) ?? 0) + (counts[2] ?? 0));
	};
	for (let round = 0; round < 1000; round++) {
		const passing = owner(`x${round}`);
		for (const each of [...busy, passing]) rows.count(each, 200, false, 0);
		rows.release(passing);
		take(2);
	}
	while ([...sums.values()].reduce((sum, each) => sum + each, 0) < 5000) take(2);
	expect(sums.get("ea")).toBe(1000);
	expect(sums.get("ex")).toBe(1000);
});

it("tells of routes that are gone as of others when there are too many of them", () => {
	const rows = new RouteRows(2);
	for (let route = 0; route < 5; route++) {
		const passing = owner(`x${route}`);
		rows.count(passing, 404, false, 1e9);
		rows.release(passing);
	}
	const told = rows
		.take()
		.map(({ edge, route, counts, seconds }) => [edge + route, counts[4], seconds]);
	expect(told).toEqual([
		["ex0", 1, 1],
		["ex1", 1, 1],
		["(others)", 3, 3],
	]);
});

it("property: every request is told of once, of its route or of others, however routes come and go", () => {
	const step = fc.record({
		route: fc.nat(7),
		act: fc.constantFrom("count", "count", "count", "release", "replace", "take one", "take all"),
	});
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 8 }),
			fc.array(step, { maxLength: 100 }),
			(max, steps) => {
				const rows = new RouteRows(max);
				const owners = Array.from({ length: 8 }, (_, route) => owner(`${route}`));
				const told = new Map<string, number>();
				const counted = new Map<string, number>();
				const add = (to: Map<string, number>, key: string, times: number) =>
					to.set(key, (to.get(key) ?? 0) + times);
				const take = (most?: number) => {
					const changes = rows.take(most);
					expect(changes.length).toBeLessThanOrEqual(most ?? Number.POSITIVE_INFINITY);
					for (const { edge, route, counts } of changes)
						add(told, edge === "e" ? route : edge, counts[2] ?? 0);
				};
				for (const { route, act } of steps) {
					const of = owners[route] ?? owner("none");
					if (act === "count") {
						rows.count(of, 200, false, 0);
						add(counted, `${route}`, 1);
					} else if (act === "release") rows.release(of);
					else if (act === "replace") owners[route] = owner(`${route}`);
					else take(act === "take one" ? 1 : undefined);
				}
				take();
				const sum = (of: Map<string, number>) =>
					[...of.values()].reduce((all, each) => all + each, 0);
				expect(sum(told)).toBe(sum(counted));
				for (const [route, times] of told) {
					if (route !== "(others)") expect(times).toBeLessThanOrEqual(counted.get(route) ?? 0);
				}
				expect(rows.take()).toEqual([]);
			},
		),
	);
});
