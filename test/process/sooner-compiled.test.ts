import { execFileSync } from "node:child_process";
import { expect, it, test } from "vitest";
import { flagsBeside } from "../../src/process/sooner-compiled.ts";

const BOTH = ["--interrupt-budget=15000", "--no-lazy-feedback-allocation"];

it.each([
	["", BOTH],
	["--max-semi-space-size=32 --interrupt-budget-for-feedback-allocation=9", BOTH],
	["--interrupt_budget=1000", [BOTH[1]]],
	["--lazy-feedback-allocation", [BOTH[0]]],
	["--no_lazy_feedback_allocation --interrupt-budget 5", []],
])("beside %j", (options, flags) => {
	expect(flagsBeside(options)).toEqual(flags);
});

// What V8 doesn't know it passes over in silence, so they are read back from a list of what it has.
test("are flags that this Node has", () => {
	const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
	expect(known).toMatch(/^ {2}--interrupt-budget \(/m);
	expect(known).toMatch(/^ {2}--lazy-feedback-allocation \(/m);
});
