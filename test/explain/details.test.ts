/** What is taken apart first: rules that did something, then the nearest that did not. */
import { expect, it } from "vitest";
import { partsWanted } from "../../src/explain/details.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import type { RuleTrace } from "../../src/policy/trace/shapes.ts";

const rule = (index: number, state: RuleTrace["state"]): RuleTrace => ({
	...{ index, name: "", enforce: true, state, reason: "", actions: [] },
	expressions: ["true", state === "skipped" ? "false" : "true"].map((is, at) => ({
		...{ source: "x", state: is as "true", asked: state !== "not_reached" },
		...{ decided: state === "skipped" && at === 1, message: null, cost_class: "negligible" },
		...{ cost_nanoseconds: 1, parts: [], more_parts: 0 },
	})),
});

it("wants those of rules that applied, and of skipped ones the expressions that decided", () => {
	const states: RuleTrace["state"][] = [
		"applied",
		...Array(100).fill("skipped"),
		"ended",
		"not_reached",
	];
	const wants = partsWanted({ inbound: states.map((state, at) => rule(at, state)), outbound: [] });
	const wanted = (ruleIndex: number, expressionIndex: number) =>
		wants({ phase: "inbound", ruleIndex, ruleName: "", expressionIndex, actionIndex: -1 });
	expect([wanted(0, 0), wanted(0, 1), wanted(101, 0)]).toEqual([true, true, true]);
	expect([wanted(100, 0), wanted(100, 1), wanted(1, 1), wanted(102, 0)]).toEqual([
		false,
		true,
		false,
		false,
	]);
	const count = states.flatMap((_, at) => [wanted(at, 0), wanted(at, 1)]).filter(Boolean).length;
	expect(count).toBe(LIMITS.explainedExpressions);
});
