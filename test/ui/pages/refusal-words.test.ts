/** Refusals in words, and the search among them. */
import { expect, it } from "vitest";
import type { Refusal } from "../../../src/management/live/shapes.ts";
import { found, ruleOf } from "../../../ui/pages/refusal-words.ts";

const REFUSAL: Refusal = {
	id: "1",
	ts: 0,
	request_id: "req_abc",
	client_ip: "203.0.113.9",
	edge_id: "shop",
	route_id: "login",
	method: "POST",
	host: "shop.example.com",
	path: "/Login",
	status: 429,
	reason: "rate_limit",
	rule: { phase: "inbound", index: 2, name: "tries", action: 0 },
	limit: "per client",
	worker: 0,
};

it("names rule and limit, as far as there are any", () => {
	expect(ruleOf(REFUSAL)).toBe("rule 3 “tries”, limit “per client”");
	expect(ruleOf({ rule: null, limit: null })).toBe("");
	const outbound = { phase: "outbound", index: 0, name: "", action: null } as const;
	expect(ruleOf({ rule: outbound, limit: "" })).toBe("outbound rule 1");
});

it("finds every word, in any field and any case", () => {
	for (const search of [
		"",
		"  ",
		"203.0.113",
		"post /login",
		"RATE-LIMITED shop/login",
		"429 tries",
		"req_abc",
	]) {
		expect(found(REFUSAL, search), search).toBe(true);
	}
	expect(found(REFUSAL, "post deny")).toBe(false);
});
