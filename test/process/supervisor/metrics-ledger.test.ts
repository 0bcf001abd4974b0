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
