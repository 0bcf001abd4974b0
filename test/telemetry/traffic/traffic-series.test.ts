import { expect, it } from "vitest";
import { familyNameOf } from "../../../src/telemetry/metric-families.ts";
import { trafficMetrics } from "../../../src/telemetry/traffic/traffic-series.ts";
import { TrafficTotals } from "../../../src/telemetry/traffic/traffic-totals.ts";
import { WorkerTraffic } from "../../../src/telemetry/traffic/worker-traffic.ts";

it("prints routes, rules, durations and backends under the names of the table", () => {
	const totals = new TrafficTotals(() => 1);
	const nothing = new WorkerTraffic().take();
	const rule = { edge: "e", phase: "inbound", rule: 2, name: "n", matched: 3, refused: 1 } as const;
	const counts = [0, 0, 5, 0, 1, 0, 2];
	totals.add("worker", {
		routes: ["a", "b"].map((route) => ({ edge: "e", route, counts, seconds: 2 })),
		rules: ["a", "b"].map((route) => ({ ...rule, route })),
		backends: [
			{
				address: "http://a",
				requests: 4,
				connections: 3,
				idle: 1,
				setAsideMs: 1500,
				failures: { timeout: 2 },
			},
		],
		durations: { ...nothing.durations, policy: { seconds: 0.5, counts: [3, 7] } },
	});
	const values = trafficMetrics(totals, 0);
	const place = 'phase="inbound",rule="2",name="n"';
	expect(values).toMatchObject({
		'weir_route_requests_total{edge="e",route="a",class="2xx"}': 5,
		'weir_route_requests_total{edge="e",route="a",class="aborted"}': 2,
		'weir_route_request_seconds_total{edge="e",route="a"}': 2,
		'weir_route_requests_total{edge="(others)",route="",class="4xx"}': 1,
		[`weir_rule_matches_total{edge="e",route="a",${place}}`]: 3,
		[`weir_rule_refusals_total{edge="e",route="a",${place}}`]: 1,
		'weir_rule_matches_total{edge="(others)",route="",phase="inbound",rule="",name=""}': 3,
		'weir_policy_duration_seconds_bucket{le="0.0000004"}': 7,
		'weir_policy_duration_seconds_bucket{le="+Inf"}': 7,
		weir_policy_duration_seconds_count: 7,
		weir_policy_duration_seconds_sum: 0.5,
		'weir_request_duration_seconds_bucket{by="weir",le="0.000064"}': 0,
		'weir_backend_requests_total{address="http://a"}': 4,
		'weir_backend_failures_total{address="http://a",reason="timeout"}': 2,
		'weir_backend_connections{address="http://a",state="busy"}': 2,
		'weir_backend_connections{address="http://a",state="idle"}': 1,
		'weir_backend_set_aside_seconds{address="http://a"}': 1.5,
	});
	expect(Object.keys(values).filter((name) => familyNameOf(name) === undefined)).toEqual([]);
});
