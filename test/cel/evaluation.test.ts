/** Whatever code throws comes out as a value, and the budget is back where it was. */
import { describe, expect, test } from "vitest";
import { BUDGET, charge } from "../../src/cel/budget.ts";
import {
	beginInline,
	endInline,
	evaluateConstant,
	evaluateFreely,
	evaluateFused,
	evaluateInline,
	evaluateOnce,
	evaluateWithin,
	newAllowance,
	OUT_OF_BUDGET,
	TOO_LONG,
	takeInline,
} from "../../src/cel/evaluation.ts";
import { EvaluationFailure, Overrun } from "../../src/cel/expression.ts";
import type { Value } from "../../src/cel/values/value.ts";
import { LIMITS } from "../../src/limits/limits.ts";
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

describe("in the event loop all of a request has one budget", () => {
	const charging =
		(nanoseconds: number, value: unknown = true) =>
		() => {
			charge(nanoseconds);
			return value as Value;
		};
	const slice = LIMITS.heavyInlineNanoseconds;

	test("expensive expressions take from it, a slice each at most, and what was stopped is not counted whole", () => {
		beginInline(2.5 * slice);
		expect(evaluateInline(charging(slice), ATTRIBUTES)).toBe(true);
		expect(evaluateInline(charging(100 * slice), ATTRIBUTES)).toBe(OUT_OF_BUDGET);
		expect(evaluateInline(charging(slice / 2), ATTRIBUTES)).toBe(true);
		expect(evaluateInline(charging(0), ATTRIBUTES)).toBe(OUT_OF_BUDGET);
		expect(endInline()).toBe(0);
		expect(BUDGET.left).toBe(Number.POSITIVE_INFINITY);
	});

	test("cheap ones take from it too, and what charges nothing goes on without", () => {
		beginInline(1000);
		expect(evaluateFreely(charging(900), ATTRIBUTES)).toBe(true);
		expect(evaluateFreely(charging(200), ATTRIBUTES)).toBe(OUT_OF_BUDGET);
		expect(evaluateFreely(charging(1), ATTRIBUTES)).toBe(OUT_OF_BUDGET);
		expect(evaluateFreely(charging(0), ATTRIBUTES)).toBe(true);
		expect(endInline()).toBe(0);
	});

	test("what must not be done twice is done to its end, or not begun", () => {
		beginInline(1000);
		expect(evaluateOnce(charging(5000), ATTRIBUTES)).toBe(true);
		expect(evaluateOnce(charging(0), ATTRIBUTES)).toBe(OUT_OF_BUDGET);
		expect(endInline()).toBe(-4000);
	});

	test("several in one function have all to be asked once it is spent", () => {
		const fused = (nanoseconds: number) => () => {
			charge(nanoseconds);
			return 5;
		};
		beginInline(1000);
		expect(evaluateFused(fused(900), ATTRIBUTES)).toBe(5);
		expect(evaluateFused(fused(200), ATTRIBUTES)).toBe(-1);
		expect(() => evaluateFused(throwing(new TypeError("a bug")), ATTRIBUTES)).toThrow("a bug");
		endInline();
	});

	test("work that is told beforehand is done where there is room for it", () => {
		beginInline(1.5 * slice);
		expect(takeInline(slice + 1)).toBe(false);
		expect(takeInline(slice)).toBe(true);
		expect(takeInline(slice)).toBe(false);
		expect(endInline()).toBe(0.5 * slice);
	});
});

test("who may be asked whether to go on is asked whenever so much is charged", () => {
	let asked = 0;
	const run = () => {
		for (let times = 0; times < 10; times++) charge(LIMITS.heavyPollNanoseconds);
		return "done";
	};
	const within = (goesOn: () => boolean) => evaluateWithin(run, ATTRIBUTES, 0, goesOn);
	expect(within(() => ++asked > 0)).toBe("done");
	expect(asked).toBeGreaterThan(4);
	expect(within(() => false)).toBe(OUT_OF_BUDGET);
	expect(BUDGET).toEqual({ left: Number.POSITIVE_INFINITY, goesOn: undefined });
});

test("an expression's own failure may be passed over, what it can't do for its size may not", () => {
	const failure = (error: unknown) => evaluateFreely(throwing(error), ATTRIBUTES);
	expect(failure(new EvaluationFailure("why"))).not.toBeInstanceOf(Overrun);
	expect(failure(new Overrun("why"))).toBeInstanceOf(Overrun);
	expect(failure(new RangeError("no room on the stack"))).toBeInstanceOf(Overrun);
	expect(TOO_LONG).toBeInstanceOf(Overrun);
});
