import fc from "fast-check";
import { expect, it } from "vitest";
import { PhaseCounts, RuleCounts } from "../../../src/telemetry/traffic/rule-counts.ts";

const rulesOf = (...rules: (readonly [index: number, name: string])[]) => ({
	length: rules.length,
	indexOf: (rule: number) => rules[rule]?.[0] ?? -1,
	nameOf: (rule: number) => rules[rule]?.[1] ?? "",
});
const RULES = rulesOf([0, "first"], [3, ""]);
const phaseOf = (counts: RuleCounts, rules = RULES) =>
	new PhaseCounts("e", "r", "inbound", rules, counts);

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

it("tells of about so many rules at a time, each in its turn", () => {
	const counts = new RuleCounts();
	const [one, other] = [phaseOf(counts), phaseOf(counts)];
	for (const phase of [one, other]) phase.matched(0);
	expect(counts.take(1)).toHaveLength(1);
	one.matched(1);
	expect(counts.take(1)).toMatchObject([{ rule: 0 }]);
	expect(counts.take()).toMatchObject([{ rule: 3 }]);
});

it("tells what a policy counts that was replaced, and forgets it then", () => {
	const counts = new RuleCounts();
	const phase = phaseOf(counts);
	phase.matched(0);
	expect(counts.take()).toMatchObject([{ rule: 0, matched: 1 }]);
	phase.matched(0);
	phase.close();
	expect(counts.take()).toMatchObject([{ rule: 0, matched: 1, former: true }]);
	phase.matched(0);
	expect(counts.take()).toMatchObject([{ rule: 0, matched: 1, former: true }]);
	expect(counts.take()).toEqual([]);
});

it("property: phases of any number of rules that come and go are told of once each, whatever their places", () => {
	const turn = fc.record({
		phase: fc.nat(11),
		rule: fc.nat(4),
		act: fc.constantFrom("matched", "matched", "refused", "close", "replace", "take", "take all"),
	});
	fc.assert(
		fc.property(fc.array(turn, { maxLength: 120 }), (turns) => {
			const counts = new RuleCounts();
			const made: { phase: PhaseCounts; id: string; size: number }[] = [];
			const wanted = new Map<string, number>();
			const found = new Map<string, number>();
			const add = (to: Map<string, number>, key: string, times: number) => {
				if (times > 0) to.set(key, (to.get(key) ?? 0) + times);
			};
			const take = (most?: number) => {
				for (const { route, rule, matched, refused } of counts.take(most)) {
					add(found, `${route} ${rule} matched`, matched);
					add(found, `${route} ${rule} refused`, refused);
				}
			};
			const newPhase = (at: number) => {
				const [size, id] = [1 + (at % 5), `${made.length}:${at}`];
				const rules = rulesOf(...Array.from({ length: size }, (_, n) => [n, ""] as const));
				const phase = new PhaseCounts("e", id, "inbound", rules, counts);
				made.push({ phase, id, size });
				return { phase, id, size };
			};
			const current = Array.from({ length: 12 }, (_, at) => newPhase(at));
			for (const { phase: at, rule, act } of turns) {
				const { phase, id, size } = current[at] ?? newPhase(at);
				if (act === "take") take(1);
				else if (act === "take all") take();
				else if (act === "close") phase.close();
				else if (act === "replace") {
					phase.close();
					current[at] = newPhase(at);
				} else {
					phase[act](rule % size);
					add(wanted, `${id} ${rule % size} ${act}`, 1);
				}
			}
			take();
			expect(found).toEqual(wanted);
		}),
	);
});

it("counts nothing where nobody does", () => {
	const phase = new PhaseCounts("e", "r", "inbound", RULES, undefined);
	expect(() => phase.matched(0)).not.toThrow();
});
