/** Code tells whether it asks for chance. */
import { expect, test } from "vitest";
import { predicateProgram } from "../../../src/cel/compile.ts";
import { isSteady } from "../../../src/cel/lower/steady.ts";

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
});
