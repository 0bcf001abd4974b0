import { expect, it } from "vitest";
import { MetricsLedger } from "../../../src/process/supervisor/metrics-ledger.ts";

it("keeps the counters of dead workers and forgets their gauges", () => {
	const ledger = new MetricsLedger(() => 1);
	ledger.retire({ 'weir_requests_total{class="2xx"}': 3, weir_requests_in_flight: 7 });
	ledger.retire({ 'weir_requests_total{class="2xx"}': 4, weir_client_aborts_total: 1 });
	expect(ledger.total).toEqual({
		'weir_requests_total{class="2xx"}': 7,
		weir_client_aborts_total: 1,
	});
});

it("tells what has come since, and all of several processes without their gauges", () => {
	const ledger = MetricsLedger.of([
		{ weir_client_aborts_total: 2, weir_workers: 3 },
		{ weir_client_aborts_total: 3, weir_loops_total: 1 },
	]);
	const before = { ...ledger.total };
	expect(before).toEqual({ weir_client_aborts_total: 5, weir_loops_total: 1 });
	ledger.retire({ weir_client_aborts_total: 1, weir_upstream_retries_total: 4 });
	expect(ledger.since(before)).toEqual({
		weir_client_aborts_total: 1,
		weir_loops_total: 0,
		weir_upstream_retries_total: 4,
	});
});
