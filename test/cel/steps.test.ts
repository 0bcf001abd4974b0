/** Steps are counted down, and running out of them stays visible. */
import { expect, test } from "vitest";
import { OutOfSteps, ranOutOfSteps, startSteps, takeSteps } from "../../src/cel/steps.ts";

test("as many steps as were given can be taken", () => {
	startSteps(3);
	takeSteps(2);
	takeSteps(1);
	expect(ranOutOfSteps()).toBe(false);
	expect(() => takeSteps(1)).toThrow(OutOfSteps);
	expect(ranOutOfSteps()).toBe(true);
	startSteps(1);
	expect(ranOutOfSteps()).toBe(false);
});
