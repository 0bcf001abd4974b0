/** close-connection (contract 5): ends the phase, and takes no config. */
import { expect, test } from "vitest";
import { compiled, exchangeOf, inbound, problemsOf } from "../support.ts";

test("ends the phase without an answer", () => {
	const policy = compiled(inbound({ type: "close-connection" }));
	expect(policy.inbound(exchangeOf())).toEqual({ kind: "close" });
});

test("takes nothing, comes last, and exists inbound", () => {
	expect(problemsOf(inbound({ type: "close-connection", config: { now: true } }))).toHaveLength(1);
	expect(problemsOf(inbound({ type: "close-connection" }, { type: "deny" }))).toHaveLength(1);
	expect(problemsOf({ outbound: [{ actions: [{ type: "close-connection" }] }] })).toEqual([
		expect.stringContaining("wrong_phase"),
	]);
});
