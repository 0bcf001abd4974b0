/** Refused requests: all are counted, some are kept, and an answer that refuses nobody is none. */
import { describe, expect, it } from "vitest";
import { Refusals } from "../../src/edge/refused-requests.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import type { Place } from "../../src/policy/exchange.ts";

const endedBy: Place = {
	...{ phase: "inbound", ruleIndex: 2, ruleName: "crawlers" },
	...{ expressionIndex: -1, actionIndex: 0 },
};
const request = {
	...{ edgeId: "e", routeId: "r", loggedIp: "192.0.2.1", host: "a.example" },
	...{ head: { method: "GET", rawPath: "/p" }, endedBy, limit: "tries", requestId: "id1" },
};

describe("a refusal", () => {
	it("is kept with what is known of the request", () => {
		const refusals = new Refusals();
		refusals.byPolicy(request, { kind: "deny", statusCode: 404 });
		const { refusals: count, refused } = refusals.take();
		expect(count).toBe(1);
		expect(refused).toEqual([
			{
				...{ ms: expect.any(Number), requestId: "id1", clientIp: "192.0.2.1" },
				...{ edgeId: "e", routeId: "r", method: "GET", host: "a.example", path: "/p" },
				...{ status: 404, reason: "deny", limit: undefined },
				rule: { phase: "inbound", ruleIndex: 2, ruleName: "crawlers" },
			},
		]);
		expect(refusals.take()).toEqual({ refusals: 0, refused: [] });
	});

	it.each([
		[{ kind: "limited", retryAfterSeconds: 1 }, "rate_limit", 429, "tries"],
		[{ kind: "refused", reason: "address", headers: [] }, "address", 403, undefined],
		[{ kind: "refused", reason: "credentials", headers: [] }, "credentials", 401, undefined],
		[{ kind: "close" }, "close", 0, undefined],
		[{ kind: "failed" }, "policy_failed", 500, undefined],
		[{ kind: "respond", statusCode: 400, headers: [], content: "" }, "respond", 400, undefined],
	] as const)("by %j has its reason and status", (decision, reason, status, limit) => {
		const refusals = new Refusals();
		refusals.byPolicy(request, decision);
		expect(refusals.take().refused).toMatchObject([{ reason, status, limit }]);
	});

	it("is neither a preflight nor an answer of a policy's own", () => {
		const refusals = new Refusals();
		refusals.byPolicy(request, { kind: "preflight", headers: [] });
		refusals.byPolicy(request, { kind: "respond", statusCode: 302, headers: [], content: "" });
		expect(refusals.take().refusals).toBe(0);
	});

	it("is counted only, where there are many, and long texts are cut", () => {
		const refusals = new Refusals();
		const long = "/x".repeat(10_000);
		const request = { method: "GET", rawPath: long, clientIp: "192.0.2.1", requestId: "id" };
		for (let count = 0; count < 1000; count++) refusals.unread(400, request);
		const { refusals: count, refused } = refusals.take();
		expect([count, refused.length]).toEqual([1000, LIMITS.decisionsPerSecond]);
		expect(refused[0]?.path).toHaveLength(LIMITS.liveRefusalCharacters);
		expect(refused[0]).toMatchObject({
			...{ reason: "bad_request", edgeId: "", rule: undefined, requestId: "id" },
		});
	});
});
