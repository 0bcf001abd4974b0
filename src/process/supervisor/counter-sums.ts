/**
 * Counters of several processes together, without their gauges: what a supervisor tells another one that takes over from
 * it. Used by `scrape.ts`.
 */
import { familyOf } from "../../telemetry/metric-families.ts";
import type { MetricsSnapshot } from "../../telemetry/metrics.ts";

export function sumOfCounters(snapshots: Iterable<MetricsSnapshot>): MetricsSnapshot {
	const sums: Record<string, number> = {};
	for (const snapshot of snapshots)
		for (const [series, value] of Object.entries(snapshot))
			if (familyOf(series)?.kind === "counter") sums[series] = (sums[series] ?? 0) + value;
	return sums;
}

/** What has come since the counters were as `before` has them. */
export const countedSince = (now: MetricsSnapshot, before: MetricsSnapshot): MetricsSnapshot =>
	Object.fromEntries(
		Object.entries(now).map(([series, value]) => [series, value - (before[series] ?? 0)]),
	);
