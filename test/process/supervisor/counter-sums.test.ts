import { expect, it } from "vitest";
import { countedSince, sumOfCounters } from "../../../src/process/supervisor/counter-sums.ts";

it("adds counters up and leaves gauges out", () => {
	expect(
		sumOfCounters([
			{ weir_client_aborts_total: 2, weir_workers: 3 },
			{ weir_client_aborts_total: 3, weir_loops_total: 1, unknown: 7 },
		]),
	).toEqual({ weir_client_aborts_total: 5, weir_loops_total: 1 });
});

it("tells what has come since, new series too", () => {
	const before = { weir_client_aborts_total: 5, weir_loops_total: 1 };
	const now = { ...before, weir_client_aborts_total: 6, weir_upstream_retries_total: 4 };
	expect(countedSince(now, before)).toEqual({
		weir_client_aborts_total: 1,
		weir_loops_total: 0,
		weir_upstream_retries_total: 4,
	});
});
