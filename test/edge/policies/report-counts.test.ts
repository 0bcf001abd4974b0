import { expect, it } from "vitest";
import { ReportCounts } from "../../../src/edge/policies/report-counts.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Metrics, series } from "../../../src/telemetry/metrics.ts";

it("counts by route and report, and for others when there are too many", () => {
	const metrics = new Metrics();
	const counts = new ReportCounts(metrics);
	for (let route = 0; route < LIMITS.policyReportSeries + 50; route++)
		counts.reported("e", `r${route}`, "would_deny");
	counts.reported("e", "r0", "would_deny");
	const told = metrics.snapshot();
	const of = (edge: string, route: string) =>
		told[series("weir_policy_reports_total", { edge, route, report: "would_deny" })];
	expect(Object.keys(told)).toHaveLength(LIMITS.policyReportSeries + 1);
	expect([of("e", "r0"), of("e", "r1"), of("(others)", "")]).toEqual([2, 1, 50]);
});
