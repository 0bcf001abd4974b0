import { expect, it } from "vitest";
import { paintFor } from "../../../src/process/explain/paint.ts";
import { renderedDecision } from "../../../src/process/explain/render-decision.ts";

const refusal = {
	...{ id: "1", ts: 0, request_id: "x", client_ip: "192.0.2.1", edge_id: "e", route_id: "r" },
	...{ method: "GET", host: "a", path: "/\u001b", worker: 0 },
};

it("says which rule it was, of which route", () => {
	const rule = { phase: "inbound" as const, index: 3, name: "few" };
	const told = { ...refusal, status: 429, reason: "rate_limit" as const, rule, limit: "l" };
	expect(renderedDecision(told, paintFor({}, {}))).toBe(`GET a/\\x1b
  from 192.0.2.1, 1970-01-01T00:00:00.000Z
  It was answered with 429: a rate-limit was over.
  Route: e/r
  Rule: inbound 3 "few"
  Rate-limit: "l"
`);
});

it("says where nothing more is known", () => {
	const closed = { ...refusal, edge_id: null, route_id: null, status: 0, reason: "close" as const };
	const text = renderedDecision({ ...closed, rule: null, limit: null }, paintFor({}, {}));
	expect(text).toContain("It got no answer: a rule closed the connection.\n");
	expect(text).not.toContain("Route:");
});
