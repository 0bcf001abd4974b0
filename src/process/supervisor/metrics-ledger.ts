/**
 * Keeps the counters of workers that have ended, so that no total of `/metrics` ever decreases. Counts of a worker
 * since it was last asked are lost with it. Used by `worker-set.ts`.
 */
import { familyOf } from "../../telemetry/metric-families.ts";
import type { MetricsSnapshot } from "../../telemetry/metrics.ts";
import { trafficMetrics } from "../../telemetry/traffic/traffic-series.ts";
import { TrafficTotals } from "../../telemetry/traffic/traffic-totals.ts";

const ANSWER_MS = 1000;

interface Asked {
	metrics(id: number, timeoutMs: number): Promise<MetricsSnapshot>;
}

export class MetricsLedger {
	readonly #totals: Record<string, number> = {};

	/** What all workers there ever were have counted of requests; up to date when `metricsOf` has resolved. */
	readonly traffic: TrafficTotals;

	/** @param shownRoutes how many routes have series of their own in `/metrics` */
	constructor(shownRoutes: () => number) {
		this.traffic = new TrafficTotals(shownRoutes);
	}

	/** @param worker it is gone; `snapshot` is its last */
	retire(snapshot: MetricsSnapshot, worker?: unknown): void {
		this.traffic.forget(worker);
		for (const [series, value] of Object.entries(snapshot)) {
			if (familyOf(series)?.kind !== "counter") continue;
			this.#totals[series] = (this.#totals[series] ?? 0) + value;
		}
	}

	get total(): MetricsSnapshot {
		return this.#totals;
	}

	/** Of all workers there ever were; of one that doesn't answer in time what it said last. */
	async metricsOf(workers: Iterable<Asked>, id: number, nowMs: number): Promise<MetricsSnapshot[]> {
		const live = await Promise.all([...workers].map((worker) => worker.metrics(id, ANSWER_MS)));
		return [this.#totals, ...live, trafficMetrics(this.traffic, nowMs)];
	}
}
