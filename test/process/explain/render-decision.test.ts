import { expect, it } from "vitest";
import { paintFor } from "../../../src/process/explain/paint.ts";
import { renderedDecision } from "../../../src/process/explain/render-decision.ts";

const refusal = {
	...{ id: "1", ts: 0, request_id: "x", client_ip: "192.0.2.1", edge_id: "e", route_id: "r" },
	...{ method: "GET", host: "a", path: "/\u001b", worker: 0, explained: null },
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

it("shows the explanation of a request that brought a token, or why there is none", () => {
	const rule = { phase: "inbound" as const, index: 3, name: "few" };
	const passed = { ...refusal, status: 200, reason: null, rule, limit: null };
	const phase = { outcome: "continue" as const, reason: "No rule ended it.", rules: [] };
	const explanation = {
		now: "2026-01-01T00:00:00.000Z",
		request: { method: "GET", url: "http://a/", client_ip: "192.0.2.1", listener: "0.0.0.0:80" },
		...{ route: null, near: [], upstream: null, answer: null, notes: [] },
		policy: { source: "none" as const, etag: null, enabled: false },
		...{ inbound: phase, outbound: phase },
	};
	const told = (explained: object): string =>
		renderedDecision(
			{ ...passed, explained: { problem: null, ...explained } as never },
			paintFor({}, {}),
		);
	const text = told({ explanation, agrees: true });
	expect(text).toContain("It was answered with 200: it was not refused.\n");
	expect(text).toContain("\n\nGET http://a/\n");
	expect(told({ explanation, agrees: false })).toContain("does not say what happened");
	expect(told({ explanation: null, agrees: null, problem: "Too long." })).toContain(
		"  Too long.\n",
	);
});
