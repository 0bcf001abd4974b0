/** What is charged is taken off, and nothing goes on when it is spent. */
import { afterEach, expect, test } from "vitest";
import { BUDGET, charge, OutOfBudget } from "../../src/cel/budget.ts";

afterEach(() => {
	BUDGET.left = Number.POSITIVE_INFINITY;
});

test("charges add up to the budget and not beyond", () => {
	BUDGET.left = 100;
	charge(60);
	charge(40);
	expect(BUDGET.left).toBe(0);
	expect(() => charge(1)).toThrow(OutOfBudget);
});

test("without a budget nothing runs out", () => {
	for (let times = 0; times < 3; times++) charge(1e300);
	expect(BUDGET.left).toBe(Number.POSITIVE_INFINITY);
});
