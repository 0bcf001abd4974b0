/** That it is run as any other is in `evaluate.test.ts`. */
import { expect, test } from "vitest";
import { CONTINUE } from "../../../src/policy/outcomes.ts";
import { evaluatePhase } from "../../../src/policy/rules/evaluate.ts";
import { listedPhase } from "../../../src/policy/rules/listed-phase.ts";
import { exchangeOf } from "../support.ts";

test("runs the actions of each rule in their order", () => {
	const ran: string[] = [];
	const rule = (index: number) => ({
		...{ index, name: "", predicates: [], expressionIndexes: undefined, reportsOnly: false },
	});
	const action = (name: string) => ({
		run() {
			ran.push(name);
			return CONTINUE;
		},
	});
	const actions = [[action("a"), action("b")], [], [action("c")]];
	const phase = listedPhase("inbound", [rule(0), rule(1), rule(2)], actions, "reject");
	expect(evaluatePhase(phase, exchangeOf())).toBe(CONTINUE);
	expect(ran).toEqual(["a", "b", "c"]);
});
