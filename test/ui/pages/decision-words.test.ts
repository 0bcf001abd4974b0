/** A decision in words: what was answered, why, and by which rule. */
import { expect, it } from "vitest";
import { decided, withoutExplanation } from "../../../ui/pages/decision-words.ts";

const rule = { phase: "inbound" as const, index: 0, name: "no bots" };

it("says what became of a request", () => {
	expect(decided({ status: 403, reason: "deny", rule, limit: null })).toBe(
		"It was answered with 403: denied, by rule 1 “no bots”.",
	);
	expect(decided({ status: 404, reason: "no_route", rule: null, limit: null })).toBe(
		"It was answered with 404: no route.",
	);
	expect(decided({ status: 0, reason: "close", rule: null, limit: null })).toContain("no answer");
	expect(decided({ status: 200, reason: null, rule: null, limit: null })).toContain("not refused");
});

it("says why there is no explanation", () => {
	expect(withoutExplanation(null)).toContain("weir explain --live");
	expect(withoutExplanation({ explanation: null, agrees: null, problem: "Too long." })).toBe(
		"Too long.",
	);
});
