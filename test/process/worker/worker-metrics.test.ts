import { expect, it } from "vitest";
import { WorkerMetrics } from "../../../src/process/worker/worker-metrics.ts";

it("answers with what it counted, under the worker's name, and with the store that is served", () => {
	const counted = new WorkerMetrics();
	counted.begin(3);
	counted.countPolicies(3, () => 5);
	counted.serves({ version: () => 17 });
	counted.metrics.add("weir_loops_total");
	counted.traffic.backends.readFrom(() => [{ waiting: 4, addresses: [] }]);
	counted.traffic.routes.count(undefined, 404, false, 0);
	const told = counted.told(9);
	expect(told).toMatchObject({
		type: "metrics",
		id: 9,
		metrics: {
			'weir_store_version{process="worker 3"}': 17,
			'weir_policies_in_use{process="worker 3"}': 5,
			weir_upstream_waiting: 4,
			weir_loops_total: 1,
		},
		traffic: { rows: { routeNames: [["", ""]] } },
	});
	expect(counted.told(10)).toMatchObject({ traffic: { rows: { routeNames: [], routes: [] } } });
});
