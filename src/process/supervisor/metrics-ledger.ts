/**
 * Keeps the counters of workers that have ended, so that no total of `/metrics` ever decreases. Counts of a worker
 * since it was last asked are lost with it. Used by `worker-set.ts`.
 */
import { familyOf } from "../../telemetry/metric-families.ts";
import type { MetricsSnapshot } from "../../telemetry/metrics.ts";

export class MetricsLedger {
	readonly #totals: Record<string, number> = {};

	retire(snapshot: MetricsSnapshot): void {
		for (const [series, value] of Object.entries(snapshot)) {
			if (familyOf(series)?.kind !== "counter") continue;
			this.#totals[series] = (this.#totals[series] ?? 0) + value;
		}
	}

	get total(): MetricsSnapshot {
		return this.#totals;
	}
}
