/** Hits are of the policy as it is now: a change begins them anew. */
import { expect, it } from "vitest";
import { HitCounts } from "../../../src/management/live/hit-counts.ts";

const document = { inbound: [{ name: "a" }], outbound: [{ name: "b" }] } as never;
const change = {
	...{ edge: "e", route: "r", phase: "outbound" as const, rule: 0, name: "b" },
	...{ matched: 2, refused: 1 },
};

it("begin anew with a change", () => {
	const hits = new HitCounts(5);
	hits.add(change, performance.now());
	hits.add(change, performance.now());
	expect(hits.of("e", "r", document)).toEqual({
		since: 5,
		rules: [
			{ phase: "inbound", index: 0, name: "a", matches: 0, refusals: 0 },
			{ phase: "outbound", index: 0, name: "b", matches: 4, refusals: 2 },
		],
	});
	hits.restart("e", "r", 9);
	expect(hits.of("e", "r", document)).toMatchObject({ since: 9, rules: [{}, { matches: 0 }] });
	hits.add(change, performance.now());
	hits.add({ ...change, former: true }, performance.now());
	expect(hits.of("e", "r", document)).toMatchObject({ since: 9, rules: [{}, { matches: 2 }] });
	hits.forget("e");
	expect(hits.of("e", "r", document)).toMatchObject({ since: 5, rules: [{}, { matches: 0 }] });
});

it("are not those that were told before the change", () => {
	const hits = new HitCounts(5);
	const before = performance.now() - 1;
	hits.restart("e", "r", 9);
	hits.add(change, before);
	expect(hits.of("e", "r", document)).toMatchObject({ since: 9, rules: [{}, { matches: 0 }] });
});
