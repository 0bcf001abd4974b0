import { expect, it } from "vitest";
import { RequestCounters } from "../../src/edge/request-counters.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";

it("counts how requests end, each once", () => {
	const metrics = new Metrics();
	const counters = new RequestCounters(metrics);
	for (const status of [200, 204, 404, 0, 999]) counters.answered(status);
	counters.aborted();
	counters.refused(400);
	counters.ended("deny");
	counters.ended("failed");
	counters.carried(3, 4);
	counters.carried(0, 5);
	expect(metrics.snapshot()).toEqual({
		'weir_requests_total{class="2xx"}': 2,
		'weir_requests_total{class="4xx"}': 2,
		'weir_requests_total{class="other"}': 2,
		'weir_requests_refused_total{status="400"}': 1,
		weir_client_aborts_total: 1,
		'weir_body_bytes_total{direction="in"}': 3,
		'weir_body_bytes_total{direction="out"}': 9,
		'weir_policy_outcomes_total{outcome="deny"}': 1,
		'weir_policy_outcomes_total{outcome="failed"}': 1,
	});
});
