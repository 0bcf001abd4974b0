/** An explanation agrees with what happened if status and rule are the same. */
import { expect, it } from "vitest";
import { agrees } from "../../../src/explain/live/agreement.ts";
import { rule, seen, told } from "./seen.ts";

const { end } = seen;
const passed = { by: "backend", status: 200, headers: [], content: null };
const went = { outcome: "continue" as const, reason: "", rules: [rule(0, "applied")] };

it("compares the status and the rule that ended it", () => {
	expect(agrees(told(), end)).toBe(true);
	expect(agrees(told(), { ...end, status: 404 })).toBe(false);
	expect(agrees(told(), { ...end, rule: undefined })).toBe(false);
	const other = { phase: "outbound" as const, ruleIndex: 1, ruleName: "" };
	expect(agrees(told(), { ...end, rule: other })).toBe(false);
	const outbound = { outcome: "respond" as const, reason: "", rules: [rule(1, "ended")] };
	expect(agrees(told({ outbound }), { ...end, rule: other })).toBe(true);
	const calm = told({ inbound: went, answer: passed });
	expect(agrees(calm, { ...end, status: 200, rule: undefined })).toBe(true);
});

it("takes a rule that failed for the end only where it was", () => {
	const rules = [rule(0, "failed"), rule(1, "failed")];
	const failed = { outcome: "failed" as const, reason: "", rules };
	const answer = { ...passed, by: "failed", status: 500 };
	const last = { ...end, status: 500 };
	expect(agrees(told({ inbound: failed, answer }), last)).toBe(true);
	const skipped = { ...failed, outcome: "continue" as const };
	const well = { ...end, status: 200, rule: undefined };
	expect(agrees(told({ inbound: skipped, answer: passed }), well)).toBe(true);
});

it("asks of a client that has left only what is known", () => {
	const left = { ...end, aborted: true, status: 0 };
	expect(agrees(told({ answer: null }), { ...left, rule: undefined })).toBe(true);
	expect(agrees(told(), left)).toBe(true);
	expect(agrees(told({ inbound: went }), left)).toBe(false);
});
