/** Fields of timestamps, held against the platform's own calendar and known instants. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "../../../src/cel/compile.ts";
import { EvaluationFailure } from "../../../src/cel/expression.ts";

function value(source: string): unknown {
	const compiled = compileExpression(source, "inbound", () => undefined);
	if (!compiled.ok) throw new Error(compiled.error[0]?.message);
	const result = compiled.value.evaluate(undefined);
	return result instanceof EvaluationFailure ? `failure: ${result.message}` : result;
}

test("property: fields in UTC are those of the calendar, whatever zone the machine is in", () => {
	const before = process.env.TZ;
	try {
		for (const zone of ["Europe/Berlin", "America/New_York", "UTC"]) {
			process.env.TZ = zone;
			fc.assert(
				fc.property(
					fc.date({
						min: new Date("1950-01-01"),
						max: new Date("2090-01-01"),
						noInvalidDate: true,
					}),
					(date) => {
						const stamp = `timestamp('${date.toISOString()}')`;
						expect(value(`${stamp}.getHours()`)).toBe(BigInt(date.getUTCHours()));
						expect(value(`${stamp}.getDate()`)).toBe(BigInt(date.getUTCDate()));
						expect(value(`${stamp}.getDayOfWeek()`)).toBe(BigInt(date.getUTCDay()));
						expect(value(`${stamp}.getMilliseconds()`)).toBe(BigInt(date.getUTCMilliseconds()));
					},
				),
				{ numRuns: 20 },
			);
			// an hour that Berlin's clocks skip
			expect(value("timestamp('2024-03-31T02:30:00Z').getHours()")).toBe(2n);
		}
	} finally {
		if (before === undefined) delete process.env.TZ;
		else process.env.TZ = before;
	}
});

test.each([
	["timestamp('2024-03-31T01:30:00Z').getHours('Europe/Berlin')", 3n],
	["timestamp('2024-03-31T00:30:00Z').getHours('Europe/Berlin')", 1n],
	["timestamp('2024-12-31T23:30:00Z').getFullYear('+01:00')", 2025n],
	["timestamp('2024-01-01T00:30:00Z').getDayOfYear('-01:00')", 364n],
	["timestamp('2024-12-31T00:00:00Z').getDayOfYear()", 365n],
	["timestamp('2024-02-29T00:00:00Z').getDayOfMonth()", 28n],
	["timestamp('2024-02-29T00:00:00Z').getMonth()", 1n],
	["timestamp('0001-01-01T00:00:00Z').getFullYear()", 1n],
	["timestamp(0).getHours('Nowhere/Town')", "failure: Invalid time zone specified: Nowhere/Town"],
])("%s", (source, expected) => {
	expect(value(source)).toEqual(expected);
});
