/** Whatever code throws comes out as a value, and the budget is back where it was. */
import { expect, test } from "vitest";
import { BUDGET, charge } from "../../src/cel/budget.ts";
import {
	beginInline,
	evaluateConstant,
	evaluateFreely,
	evaluateInline,
	evaluateWithin,
	newAllowance,
	OUT_OF_BUDGET,
	TOO_LONG,
} from "../../src/cel/evaluation.ts";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import { LIMITS } from "../../src/limits.ts";
import { ATTRIBUTES } from "./attributes.ts";

const throwing = (error: unknown) => () => {
	throw error;
};

test.each([
	["a failure of the expression", new EvaluationFailure("why"), "why"],
	["a bug", new TypeError("a bug"), "a bug"],
	["anything", "text", "text"],
])("%s", (_, error, message) => {
	const failure = new EvaluationFailure(message);
	expect(evaluateFreely(throwing(error), ATTRIBUTES)).toEqual(failure);
	expect(evaluateWithin(throwing(error), ATTRIBUTES, 1000)).toEqual(failure);
	expect(BUDGET.left).toBe(Number.POSITIVE_INFINITY);
});

test("within its budget code yields its value, beyond it nothing", () => {
	const charging = (nanoseconds: number) => () => {
		charge(nanoseconds);
		return "done";
	};
	expect(evaluateWithin(charging(1000), ATTRIBUTES, 1000)).toBe("done");
	expect(evaluateWithin(charging(1001), ATTRIBUTES, 1000)).toBe(OUT_OF_BUDGET);
	expect(BUDGET.left).toBe(Number.POSITIVE_INFINITY);
	expect(evaluateFreely(charging(1e12), ATTRIBUTES)).toBe("done");
	const half = LIMITS.constantNanoseconds / 2;
	const allowance = newAllowance();
	expect(evaluateConstant(charging(half), allowance)).toBe("done");
	expect(allowance.nanoseconds).toBe(half);
	expect(evaluateConstant(charging(half), allowance)).toBe("done");
	expect(evaluateConstant(charging(1), allowance)).toBe(TOO_LONG);
	expect(evaluateConstant(charging(half), newAllowance())).toBe("done");
});

test("all expensive expressions of a phase have one allowance", () => {
	const run = () => {
		charge(LIMITS.heavyInlineNanoseconds);
		return true;
	};
	const most = LIMITS.phaseInlineNanoseconds / LIMITS.heavyInlineNanoseconds;
	for (let phase = 0; phase < 2; phase++) {
		beginInline();
		for (let times = 0; times < most; times++) expect(evaluateInline(run, ATTRIBUTES)).toBe(true);
		expect(evaluateInline(run, ATTRIBUTES)).toBe(OUT_OF_BUDGET);
	}
});
