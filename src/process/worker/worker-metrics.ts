/** What a worker counts, and tells the supervisor when it asks. Made by `worker.ts`. */
import { LIMITS } from "../../limits/limits.ts";
import type { StoreReader } from "../../store/store.ts";
import { Metrics, series } from "../../telemetry/metrics.ts";
import { countProcess } from "../../telemetry/process-metrics.ts";
import { WorkerTraffic } from "../../telemetry/traffic/worker-traffic.ts";
import type { ToSupervisor } from "../messages.ts";

/** No question has this number. */
export const LAST = 0;

export class WorkerMetrics {
	readonly metrics = new Metrics();
	readonly traffic = new WorkerTraffic();
	#storeVersion = 0;

	/** @param index of the worker, its name in labels */
	begin(index: number): void {
		const process = `worker ${index}`;
		countProcess(process, this.metrics);
		this.metrics.gauge(series("weir_store_version", { process }), () => this.#storeVersion);
		this.metrics.gauge("weir_upstream_waiting", () => this.traffic.backends.waiting);
	}

	/** @param policies that are compiled */
	countPolicies(index: number, policies: () => number): void {
		this.metrics.gauge(series("weir_policies_in_use", { process: `worker ${index}` }), policies);
	}

	/** What the store has is served. */
	serves(reader: Pick<StoreReader, "version">): void {
		this.#storeVersion = reader.version();
	}

	/** What has come since the last such message. @param id of the question; `LAST`: there is no further one */
	told(id: number): ToSupervisor {
		// First: it looks at the backends, too.
		const traffic = this.traffic.tell(id === LAST ? undefined : LIMITS.countsTold);
		return { type: "metrics", id, metrics: this.metrics.snapshot(), traffic };
	}
}
