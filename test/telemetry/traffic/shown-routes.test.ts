import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ShownRoutes } from "../../../src/telemetry/traffic/shown-routes.ts";

const MINUTE = 60_000;
const change = (route: string, requests: number) => ({
	edge: "e",
	route,
	counts: [0, 0, requests, 0, 0, 0, 0],
	seconds: 0,
});
const seen = (shown: ShownRoutes) =>
	Object.fromEntries(
		Array.from(shown.routes(), ({ edge, route, counts }) => [edge + route, counts[2]]),
	);

it("has series for as many as it may, and one for all others", () => {
	const shown = new ShownRoutes(() => 2);
	for (const route of ["a", "b", "c", "d"]) shown.countRoute(change(route, 3));
	expect(seen(shown)).toEqual({ ea: 3, eb: 3, "(others)": 6, "": 0 });
});

it("gives series to busier routes, without a number that goes back", () => {
	const shown = new ShownRoutes(() => 1);
	shown.countRoute(change("a", 3));
	shown.countRoute(change("b", 100));
	shown.look(2 * MINUTE);
	expect(seen(shown)).toEqual({ eb: 0, "(others)": 100, "": 0 });
	shown.countRoute(change("b", 5));
	shown.countRoute(change("a", 2000));
	expect(seen(shown)).toEqual({ eb: 5, "(others)": 2100, "": 0 });
	shown.look(4 * MINUTE);
	shown.countRoute(change("a", 1));
	expect(seen(shown)).toEqual({ ea: 4, "(others)": 2100, "": 0 });
});

it("stays with those that it has while others are not much busier, and looks seldom", () => {
	const shown = new ShownRoutes(() => 1);
	shown.countRoute(change("a", 10));
	shown.countRoute(change("b", 15));
	shown.look(2 * MINUTE);
	expect(Object.keys(seen(shown))).toContain("ea");
	shown.countRoute(change("b", 1000));
	shown.look(2 * MINUTE + 1);
	expect(Object.keys(seen(shown))).toContain("ea");
});

it("counts rules with their routes", () => {
	const shown = new ShownRoutes(() => 1);
	const rule = { edge: "e", phase: "inbound", rule: 0, name: "n", matched: 2, refused: 1 } as const;
	shown.countRoute(change("a", 1));
	for (const route of ["a", "b", "b"]) shown.countRule({ ...rule, route });
	const rules = Array.from(shown.routes(), ({ rules: own }) => [...own.values()]).flat();
	expect(rules).toEqual([
		{ ...rule, route: "a" },
		{ ...rule, edge: "(others)", route: "", rule: -1, name: "", matched: 4, refused: 2 },
	]);
});

it("forgets where series were of routes that had theirs long ago, and of none that has some", () => {
	const shown = new ShownRoutes(() => 2);
	let minute = 2;
	const show = (route: string) => {
		shown.countRoute(change(route, 5));
		shown.look(minute++ * MINUTE);
	};
	for (const route of ["a", "stays"]) shown.countRoute(change(route, 3));
	for (let at = 0; at < LIMITS.knownShownRoutes + 10; at++) {
		shown.countRoute(change("stays", 100));
		show(`r${at}`);
	}
	expect(seen(shown).estays).toBe(3 + (LIMITS.knownShownRoutes + 10) * 100);
	for (let at = 0; at < 2; at++) show("a");
	shown.countRoute(change("a", 1));
	expect(seen(shown).ea).toBe(1 + 5);
});
