/** What an expression's failure comes to: its own may be passed over, what it took too much for never. */
import { expect, test } from "vitest";
import { EvaluationFailure, Overrun } from "../../src/cel/expression.ts";
import { EXPRESSION_FAILED, FAILED, failedBy } from "../../src/policy/outcomes.ts";

test("a failure is the expression's own, an overrun is not", () => {
	expect(failedBy(new EvaluationFailure("no such key"))).toBe(EXPRESSION_FAILED);
	expect(failedBy(new Overrun("the evaluation takes too long"))).toBe(FAILED);
	expect(FAILED).not.toBe(EXPRESSION_FAILED);
});
