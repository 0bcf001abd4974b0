/** Failures name what was written and the types of its operands. */
import { expect, test } from "vitest";
import { noFunction, noOperator } from "../../../src/cel/values/no-overload.ts";

test("operators and functions", () => {
	expect(noOperator("+", 1n, "a").message).toBe("no matching overload for int + string");
	expect(noOperator("-", null).message).toBe("no matching overload for -null_type");
	expect(noFunction("size", [1.5, []]).message).toBe("no matching overload for size(double, list)");
});
