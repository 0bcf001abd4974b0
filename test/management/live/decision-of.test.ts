/** A decision: a refusal, a request that brought a token, or one that is both. */
import { expect, it } from "vitest";
import type { ExplainedRequest } from "../../../src/explain/live/live-explanations.ts";
import { decisionOf } from "../../../src/management/live/decision-of.ts";
import type { Refusal } from "../../../src/management/live/shapes.ts";
import { seen, told } from "../../explain/live/seen.ts";

const refusal = { id: "7", request_id: "id-1", reason: "deny", status: 403 } as Refusal;
const explained: ExplainedRequest = {
	...{ seen, worker: 1, explanation: told(), agrees: true, problem: undefined },
};

it("tells what is known", () => {
	expect(decisionOf(undefined, undefined)).toBeUndefined();
	expect(decisionOf(refusal, undefined)).toEqual({ ...refusal, explained: null });
	const both = decisionOf(refusal, explained);
	expect(both).toMatchObject({
		id: "7",
		reason: "deny",
		explained: { agrees: true, problem: null },
	});
});

it("tells of a request that passed what a worker took down", () => {
	const end = { ...seen.end, status: 200, rule: undefined, edgeId: "" };
	expect(decisionOf(undefined, { ...explained, seen: { ...seen, end } })).toMatchObject({
		...{
			id: "",
			ts: 1000,
			request_id: "id-1",
			client_ip: "192.0.2.7",
			edge_id: null,
			route_id: "r",
		},
		...{ method: "GET", host: "a.example", path: "/x", status: 200, reason: null, rule: null },
		...{ limit: null, worker: 1 },
	});
	expect(decisionOf(undefined, explained)?.rule).toEqual({
		phase: "inbound",
		index: 1,
		name: "no",
	});
});
