import { execFileSync } from "node:child_process";
import { expect, it, test } from "vitest";
import { flagsBeside } from "../../src/process/sooner-compiled.ts";

const [NOTES, LOOKS] = ["--no-lazy-feedback-allocation", "--interrupt-budget=15000"];

it.each([
	["20.18.1", [], [NOTES, LOOKS]],
	["22.9.0", [], [NOTES]],
	["20.18.1", ["--interrupt-budget-for-feedback-allocation=9"], [NOTES, LOOKS]],
	["20.18.1", ["--max-semi-space-size=32", "--interrupt_budget=1000"], [NOTES]],
	["20.18.1", ["--lazy-feedback-allocation"], [LOOKS]],
	["22.9.0", ["--no_lazy_feedback_allocation"], []],
])("Node %s beside %j", (node, options, flags) => {
	expect(flagsBeside(node, options)).toEqual(flags);
});

// V8 complains of others on stderr, in each process.
test("are flags that this Node has", () => {
	const flags = flagsBeside(process.versions.node, []);
	expect(flags).not.toHaveLength(0);
	const { stderr } = run([...flags, "-e", ""]);
	expect(stderr).toBe("");
	expect(() => run(["--weir-has-no-such-flag", "-e", ""])).toThrow();
});

const run = (words: readonly string[]) => ({
	stderr: execFileSync(process.execPath, words, { encoding: "utf8", stdio: "pipe" }),
});
