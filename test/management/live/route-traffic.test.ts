/** Counts of routes go when the route or its edge goes, and no others with them. */
import { expect, it } from "vitest";
import { RouteTraffic } from "../../../src/management/live/route-traffic.ts";

it("forgets what is gone", () => {
	const traffic = new RouteTraffic();
	for (const [edge, route] of [
		["a", "1"],
		["a", "2"],
		["a-b", "1"],
	] as const)
		traffic.at(edge, route).requests.add(1, 1, 1000);
	traffic.forget("a/2");
	expect([...traffic.all.keys()]).toEqual(["a/1", "a-b/1"]);
	traffic.forgetEdge("a");
	expect([...traffic.all.keys()]).toEqual(["a-b/1"]);
	expect(traffic.of("a/1")).toBeUndefined();
});
