/** Programs that a thread makes are the texts' own; `wanted.test.ts` has whole policies of them. */
import { expect, test } from "vitest";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { makeProgram, type WantedProgram } from "../../../src/policy/programs/program.ts";

test.each<WantedProgram>([
	{ kind: "predicate", source: "req.method == 'GET'", phase: "inbound" },
	{ kind: "template", source: "a ${res.status_code}", phase: "outbound" },
	{ kind: "pattern", source: "/v([0-9]+)/", phase: "inbound" },
])("a $kind is made of plain data and taken over", (wanted) => {
	const made = makeProgram(wanted);
	expect(made).toMatchObject(wanted);
	if (made === undefined) return;
	const compiler = new Compiler();
	compiler.adopt(structuredClone(made));
	const { kind, source, phase } = wanted;
	const compiled = kind === "pattern" ? compiler.pattern(source) : compiler[kind](source, phase);
	expect(compiled.ok).toBe(true);
});

test("a text that is refused makes no program", () => {
	expect(makeProgram({ kind: "predicate", source: "1", phase: "inbound" })).toBeUndefined();
	expect(makeProgram({ kind: "template", source: "${", phase: "inbound" })).toBeUndefined();
});
