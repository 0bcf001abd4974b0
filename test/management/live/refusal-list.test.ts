/** Refusals of several workers are one list, in order, bounded, and what is left out is said. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { RefusalList } from "../../../src/management/live/refusal-list.ts";
import type { RefusalRecord } from "../../../src/telemetry/live-report.ts";
import { reportedOf, reportOf } from "./source.ts";

const record = (ms: number, fields: Partial<RefusalRecord> = {}): RefusalRecord => ({
	...{ ms, requestId: undefined, clientIp: "192.0.2.1", edgeId: "e", routeId: "r" },
	...{ method: "GET", host: "h", path: "/", status: 403, reason: "deny", rule: undefined },
	limit: undefined,
	...fields,
});
const told = (index: number, refused: readonly RefusalRecord[], refusals = refused.length) =>
	reportedOf({ index, report: reportOf({ refused, refusals }) });

it("is one list of all workers", () => {
	const list = new RefusalList();
	const event = list.add([
		told(0, [record(10), record(30, { edgeId: "", routeId: "", reason: "no_route", status: 404 })]),
		told(1, [record(20, { rule: { phase: "inbound", ruleIndex: 1, ruleName: "x" } })], 7),
	]);
	expect(event.left_out).toBe(6);
	expect(event.refusals.map(({ id, ts, worker }) => [id, ts, worker])).toEqual([
		...[
			["3", 30, 0],
			["2", 20, 1],
			["1", 10, 0],
		],
	]);
	expect(event.refusals[0]).toMatchObject({ edge_id: null, route_id: null, rule: null });
	expect(event.refusals[1]?.rule).toEqual({ phase: "inbound", index: 1, name: "x" });
	expect(list.list(1)).toMatchObject({ refusals: [{ id: "3" }], left_out: 8 });
});

it("holds the last ones, and tells a few of each second", () => {
	const list = new RefusalList();
	const many = Array.from({ length: 80 }, (_, ms) => record(ms));
	for (let second = 0; second < 20; second++) {
		const { refusals, left_out } = list.add([told(0, many)]);
		expect([refusals.length, left_out]).toEqual([LIMITS.liveRefusalsPerSecond, 30]);
	}
	const all = list.list(LIMITS.liveRefusals);
	expect([all.refusals.length, all.left_out]).toEqual([LIMITS.liveRefusals, 600]);
	expect(all.refusals[0]?.id).toBe("1600");
});
