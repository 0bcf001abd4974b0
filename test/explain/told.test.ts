import { expect, it } from "vitest";
import { phaseTold, replied } from "../../src/explain/told.ts";
import type { RuleTrace } from "../../src/policy/trace/shapes.ts";

const rules = [
	{ index: 0, name: "", state: "skipped" },
	{ index: 1, name: "no bots", state: "ended" },
] as unknown as RuleTrace[];

it("names the rule that ended a phase", () => {
	expect(phaseTold({ kind: "deny" }, rules)).toMatchObject({
		outcome: "deny",
		reason: 'The rule "no bots" ended it.',
	});
	expect(phaseTold({ kind: "continue" }, rules.slice(0, 1)).reason).toBe("No rule ended it.");
	expect(phaseTold({ kind: "continue" }, []).reason).toBe("There are no rules.");
	expect(phaseTold({ kind: "failed" }, rules.slice(0, 1)).reason).toContain("500");
});

it("tells a reply with its lines in pairs", () => {
	const reply = { statusCode: 403, headers: ["a", "1", "b", "2"], content: "x", bytes: undefined };
	expect(replied("deny", reply)).toEqual({
		...{ by: "deny", status: 403, content: "x" },
		headers: [
			["a", "1"],
			["b", "2"],
		],
	});
});
