/** Code tells whether it asks for chance, and whether for what changes within a phase. */
import { expect, test } from "vitest";
import { predicateProgram } from "../../../src/cel/compile.ts";
import { isSteady, isSteadyInPhase } from "../../../src/cel/lower/steady.ts";
import { openPredicate } from "../../../src/cel/program.ts";

test.each([
	["req.host == 'a'", true],
	["rand.double() < 0.5", false],
	["rand.int(1, 6) == req.content_length", false],
	// the overload is chosen when it runs
	["rand.int(dyn(1), 6) == 1", false],
	["req.host == 'rand.int'", true],
])("%s", (source, steady) => {
	const program = predicateProgram(source, "outbound");
	if (!program.ok) throw new Error(JSON.stringify(program.error));
	expect(isSteady(program.value.code)).toBe(steady);
	expect(isSteadyInPhase(program.value.code, program.value.reads)).toBe(steady);
	expect(openPredicate(program.value).isSteady).toBe(steady);
});

test.each(["conn.bytes_in > 9", "size([conn.bytes_out]) > 0 && conn.bytes_out > 9"])(
	"%s asks for no chance, and changes within a phase",
	(source) => {
		const program = predicateProgram(source, "outbound");
		if (!program.ok) throw new Error(JSON.stringify(program.error));
		const { code, reads } = program.value;
		expect([isSteady(code), isSteadyInPhase(code, reads)]).toEqual([true, false]);
		expect(openPredicate(program.value).isSteady).toBe(false);
	},
);
