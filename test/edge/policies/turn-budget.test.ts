/** What one turn of the event loop may spend is shared by all who come in it, and there again in the next. */
import { expect, it } from "vitest";
import { Compilation } from "../../../src/edge/policies/compilation.ts";
import { TurnBudget } from "../../../src/edge/policies/turn-budget.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { PolicySteps } from "../../../src/policy/compile.ts";

/** Takes the loop until a turn's share is over. */
const endless = (): Compilation => {
	const steps = (function* (): PolicySteps {
		for (;;) yield [];
	})();
	const preparation = new Compilation(steps);
	preparation.goOn = (endMs) => {
		while (performance.now() < endMs);
		return undefined;
	};
	return preparation;
};

it("is spent once a turn, and whole again in the next", async () => {
	const budget = new TurnBudget();
	expect(budget.left).toBe(LIMITS.policySliceMs);
	expect(budget.spend(endless())).toBeUndefined();
	expect(budget.left).toBeLessThanOrEqual(0);
	await new Promise((resolve) => setImmediate(resolve));
	expect(budget.left).toBe(LIMITS.policySliceMs);
});
