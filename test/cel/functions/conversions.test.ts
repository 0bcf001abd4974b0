/** Conversions follow CEL's rules where JavaScript's differ. */
import { expect, test } from "vitest";
import { compileExpression } from "../../../src/cel/compile.ts";
import { EvaluationFailure } from "../../../src/cel/expression.ts";
import { described } from "../values.ts";

function value(source: string): string {
	const compiled = compileExpression(source, "inbound", () => undefined);
	if (!compiled.ok) throw new Error(`${source}: ${compiled.error[0]?.message}`);
	const result = compiled.value.evaluate(undefined);
	return result instanceof EvaluationFailure ? "failure" : described(result);
}

test.each([
	["int('')", "failure"],
	["int(' 1')", "failure"],
	["int('0x10')", "failure"],
	["int('-9223372036854775808')", "int -9223372036854775808"],
	["int('9223372036854775808')", "failure"],
	["int(1.9)", "int 1"],
	["int(1e19)", "failure"],
	["uint('-1')", "failure"],
	["uint('18446744073709551615')", "uint 18446744073709551615"],
	["double('')", "failure"],
	["double('x')", "failure"],
	["double('1e400')", "failure"],
	["double('1.5e3')", "double 1500"],
	["double('NaN')", "double NaN"],
	["double('-Inf')", "double -Infinity"],
	["string(1.0)", 'string "1"'],
	["string(b'\\xff')", "failure"],
	["string(duration('1h0.25s'))", 'string "3600.25s"'],
	["string(duration('-0.5s'))", 'string "-0.5s"'],
	["string(timestamp('2024-01-01T01:00:00.5+01:00'))", 'string "2024-01-01T00:00:00.500Z"'],
	["timestamp(1700000000)", "timestamp 1700000000.0"],
	["timestamp(253402300800)", "failure"],
	["timestamp('2024-01-01')", "failure"],
	["bool('yes')", "failure"],
])("%s", (source, expected) => {
	expect(value(source)).toBe(expected);
});
