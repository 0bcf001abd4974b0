import { expect, it } from "vitest";
import { PhaseCounts, RuleCounts } from "../../../src/telemetry/traffic/rule-counts.ts";

const phaseOf = (counts: RuleCounts) =>
	new PhaseCounts(
		{
			edgeId: "e",
			routeId: "r",
			phase: "inbound",
			rules: [
				{ index: 0, name: "first" },
				{ index: 3, name: "" },
			],
		},
		counts,
	);

it("tells how often each rule applied and refused since it was last asked", () => {
	const counts = new RuleCounts();
	const phase = phaseOf(counts);
	expect(counts.take()).toEqual([]);
	phase.matched(0);
	phase.matched(1);
	phase.matched(1);
	phase.refused(1);
	const of = { edge: "e", route: "r", phase: "inbound" };
	expect(counts.take()).toEqual([
		{ ...of, rule: 0, name: "first", matched: 1, refused: 0 },
		{ ...of, rule: 3, name: "", matched: 2, refused: 1 },
	]);
	expect(counts.take()).toEqual([]);
});

it("tells what a policy counts that was replaced, and forgets it then", () => {
	const counts = new RuleCounts();
	const phase = phaseOf(counts);
	phase.matched(0);
	phase.close();
	expect(counts.take()).toMatchObject([{ rule: 0, matched: 1 }]);
	phase.matched(0);
	expect(counts.take()).toMatchObject([{ rule: 0, matched: 1 }]);
	expect(counts.take()).toEqual([]);
});
