/** A request that was taken down and its explanation, for tests. */
import type { SeenRequest } from "../../../src/edge/seen/seen-request.ts";
import type { Explanation, PhaseExplanation } from "../../../src/explain/shapes.ts";

export const seen: SeenRequest = {
	...{ token: "t", requestId: "id-1", revision: 1, nowMs: 1000, method: "GET", rawPath: "/x" },
	...{ host: "a.example", scheme: "http", lines: [], isCut: false, clientIp: "192.0.2.7" },
	listener: { host: "0.0.0.0", port: 80, sni: "" },
	client: {
		...{ address: "192.0.2.7", port: 1, startMs: 0, bytesIn: 0, bytesOut: 0, isHttp10: false },
		...{ tlsVersion: "", tlsSni: "", tlsJa4: "" },
	},
	limits: [],
	end: {
		...{ status: 403, aborted: false, by: "deny", edgeId: "e", routeId: "r", nowMs: 2000 },
		rule: { phase: "inbound", ruleIndex: 1, ruleName: "no" },
	},
};

type Rule = PhaseExplanation["rules"][number];
export const rule = (index: number, state: Rule["state"], more: Partial<Rule> = {}): Rule => ({
	...{ index, name: "", enforce: true, state, reason: "", expressions: [], actions: [] },
	...more,
});

export const told = (given: Partial<Explanation> = {}): Explanation => ({
	now: "2026-01-01T00:00:00.000Z",
	request: { method: "GET", url: "http://a.example/x", client_ip: "192.0.2.7", listener: "" },
	...{ route: null, near: [], upstream: null, notes: [] },
	policy: { source: "stored", etag: '"1"', enabled: true },
	inbound: { outcome: "deny", reason: "", rules: [rule(0, "skipped"), rule(1, "ended")] },
	outbound: { outcome: "not_run", reason: "", rules: [] },
	answer: { by: "deny", status: 403, headers: [], content: "" },
	...given,
});
