/** Summaries are read once, and again after a change. */
import { expect, it, vi } from "vitest";
import { PolicySummaries } from "../../../src/management/live/policy-summaries.ts";
import { StoreError } from "../../../src/store/store-error.ts";

const limit = { type: "rate-limit", config: {} };
const document = (enabled: boolean) => ({
	enabled,
	inbound: [{ actions: [limit, limit] }, { actions: [{ type: "deny" }] }],
	outbound: [{ actions: [{ type: "log" }] }],
});

it("says whether there is one, and how much", () => {
	let enabled = true;
	const policy = vi.fn((edgeId: string, routeId: string) => {
		if (routeId === "none") return undefined;
		if (routeId === "damaged") throw new StoreError("damaged", { damaged: true });
		return { document: document(enabled), etag: edgeId } as never;
	});
	const summaries = new PolicySummaries({ policy });
	expect(summaries.of("e", "none")).toEqual({ state: "none", rules: 0, rate_limits: 0 });
	expect(summaries.of("e", "damaged").state).toBe("unreadable");
	const known = { state: "enabled", rules: 3, rate_limits: 2 };
	for (let times = 0; times < 3; times++) expect(summaries.of("e", "r")).toEqual(known);
	expect(policy).toHaveBeenCalledTimes(3);
	enabled = false;
	summaries.changed([{ kind: "policy", edgeId: "e", routeId: "other" }]);
	expect(summaries.of("e", "r").state).toBe("enabled");
	summaries.changed([{ kind: "policy", edgeId: "e", routeId: "r" }]);
	expect(summaries.of("e", "r").state).toBe("disabled");
	enabled = true;
	summaries.changed([{ kind: "policies", edgeId: "e" }]);
	expect(summaries.of("e", "r").state).toBe("enabled");
});
