/** When two ways in which a request ended count as the same, and when nobody can tell. */
import { describe, expect, it } from "vitest";
import { type Came, verdictOf } from "../../src/replay/outcome.ts";

const came = (kind: Came["kind"], status: number, more: Partial<Came> = {}): Came => ({
	...{ kind, status, phase: undefined, rule: undefined, ruleName: "", limit: undefined },
	...{ isWhole: true, request: undefined, answer: undefined, ...more },
});
const outbound = { phase: "outbound", rule: 0 };

describe("a verdict", () => {
	it.each<[string, Came, Came]>([
		["same", came("passed", 200), came("passed", 404)],
		["same", came("deny", 403), came("deny", 403, { rule: 3 })],
		["changed", came("deny", 403), came("limited", 429)],
		["changed", came("deny", 403), came("deny", 404)],
		["changed", came("passed", 200), came("respond", 200)],
		["changed", came("passed", 200, { request: "a" }), came("passed", 200, { request: "b" })],
		["changed", came("respond", 200, { answer: "a" }), came("respond", 200, { answer: "b" })],
		["now_blocked", came("passed", 200), came("close", 0)],
		["now_blocked", came("respond", 200), came("respond", 403)],
		["now_passed", came("limited", 429), came("passed", 0, { isWhole: false })],
		["now_passed", came("failed", 500), came("respond", 302)],
		["unknown", came("respond", 502, outbound), came("passed", 0, { isWhole: false })],
		["unknown", came("respond", 200, outbound), came("passed", 0, { isWhole: false })],
		["unknown", came("passed", 0, { isWhole: false }), came("passed", 0, { isWhole: false })],
		["same", came("passed", 200), came("passed", 0, { isWhole: false })],
		["same", came("unknown", 200), came("passed", 200)],
		["unknown", came("unknown", 429), came("passed", 429)],
		["same", came("unknown", 429), came("limited", 429)],
		["now_blocked", came("unknown", 200), came("limited", 429)],
	])("%s", (verdict, before, after) => {
		expect(verdictOf(before, after)).toBe(verdict);
	});
});
