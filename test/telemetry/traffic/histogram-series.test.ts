/** Bounds as both formats of `/metrics` write them, with sum and count. */
import { expect, it } from "vitest";
import { DurationHistogram } from "../../../src/telemetry/traffic/duration-histogram.ts";
import { addHistogram } from "../../../src/telemetry/traffic/histogram-series.ts";

it("prints buckets, sum and count", () => {
	const histogram = new DurationHistogram(100);
	histogram.observe(500);
	const values: Record<string, number> = {};
	addHistogram(values, "weir_policy_duration_seconds", {}, histogram, [2, 3]);
	expect(values).toEqual({
		'weir_policy_duration_seconds_bucket{le="0.0000004"}': 0,
		'weir_policy_duration_seconds_bucket{le="0.0000008"}': 1,
		'weir_policy_duration_seconds_bucket{le="+Inf"}': 1,
		weir_policy_duration_seconds_sum: 5e-7,
		weir_policy_duration_seconds_count: 1,
	});
});
