/**
 * The counters of workers that are gone, so that a total never goes backwards when one dies. What a
 * worker counted after it was last asked is lost with it.
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
