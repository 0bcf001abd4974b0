/** What is read ahead is as it was, whatever the state of the route or phase. */
import { expect, it } from "vitest";
import { RouteRows, UNCOUNTED } from "../../../src/telemetry/traffic/route-rows.ts";
import { PhaseCounts, RuleCounts } from "../../../src/telemetry/traffic/rule-counts.ts";

it("changes nothing of routes: new ones, counted ones, those without a row, those that are gone", () => {
	const rows = new RouteRows(1);
	const [a, b] = ["a", "b"].map((routeId) => ({ edgeId: "e", routeId, row: UNCOUNTED }));
	if (a === undefined || b === undefined) throw new Error("two routes");
	rows.prefetch(a);
	expect(a.row).toBe(UNCOUNTED);
	expect(rows.take()).toEqual([]);
	for (const each of [a, b]) {
		rows.count(each, 200, false, 1e9);
		rows.prefetch(each);
	}
	expect(rows.take()).toMatchObject([{ edge: "(others)" }, { route: "a", seconds: 1 }]);
	rows.release(a);
	rows.prefetch(a);
	expect(rows.take()).toEqual([]);
});

it("changes nothing of phases, and works where nobody counts", () => {
	const counts = new RuleCounts();
	const rules = { length: 1, indexOf: () => 0, nameOf: () => "" };
	const phase = new PhaseCounts("e", "r", "inbound", rules, counts);
	phase.prefetch();
	phase.matched(0);
	phase.prefetch();
	expect(counts.take()).toMatchObject([{ matched: 1, refused: 0 }]);
	phase.close();
	phase.prefetch();
	expect(counts.take()).toEqual([]);
	new PhaseCounts("e", "r", "inbound", rules, undefined).prefetch();
});
