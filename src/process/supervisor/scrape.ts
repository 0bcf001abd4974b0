/**
 * All that `/metrics` tells, and what of it another weir gets that takes over from this one: there counters go on. Made by
 * `serve.ts`, for the management API; asked by `estate.ts`.
 */
import type { CountedLimits } from "../../policy/admission.ts";
import { type MetricsFormat, renderMetrics } from "../../telemetry/exposition.ts";
import type { Metrics, MetricsSnapshot } from "../../telemetry/metrics.ts";
import { handedTraffic, resumeTraffic } from "../../telemetry/traffic/handed-traffic.ts";
import { type CertificateDates, expiryMetrics } from "../config/certificate-dates.ts";
import { type HandedCounts, NOTHING_COUNTED } from "../handover/handed-counts.ts";
import { countedSince, sumOfCounters } from "./counter-sums.ts";
import type { LimitMetrics } from "./limit-metrics.ts";
import type { WorkerSet } from "./worker-set.ts";

interface Told {
	metrics(): MetricsSnapshot;
}

interface ScrapeOptions {
	/** the supervisor's own */
	readonly metrics: Pick<Metrics, "snapshot">;
	readonly settings: { readonly certificates: readonly CertificateDates[] };
	readonly others: readonly Told[];
	readonly limits: LimitMetrics;
	/** undefined: workers don't share what they count */
	readonly counts: () => CountedLimits | undefined;
	readonly workers: Pick<WorkerSet, "metrics" | "counts" | "ledger">;
	/** another weir will hand over what it has counted */
	readonly isHeir: boolean;
}

export class Scrape {
	readonly #options: ScrapeOptions;
	/** resolves when counters are what they were in the weir before; until then they would have gone back */
	readonly #resumed: Promise<void>;
	#setResumed: () => void = () => {};
	#handed = NOTHING_COUNTED;

	constructor(options: ScrapeOptions) {
		this.#options = options;
		this.#resumed = new Promise((resolve) => {
			if (options.isHeir) this.#setResumed = resolve;
			else resolve();
		});
	}

	async text(format: MetricsFormat): Promise<string> {
		await this.#resumed;
		const { metrics, settings, others, workers } = this.#options;
		const ofWorkers = await workers.metrics();
		const snapshots = [
			metrics.snapshot(),
			expiryMetrics(settings.certificates),
			...others.map((each) => each.metrics()),
			await this.#limits(),
			...ofWorkers,
		];
		return renderMetrics(snapshots, format);
	}

	/** What the weir before this one has handed over, and again what that one has counted since. */
	resume({ metrics, traffic, limits }: HandedCounts): void {
		const { workers, limits: own } = this.#options;
		workers.ledger.retire(metrics);
		resumeTraffic(workers.ledger.traffic, traffic);
		own.resume(limits);
		this.#setResumed();
	}

	async handOver(): Promise<HandedCounts> {
		const metrics = await this.#counters();
		await this.#limits();
		const traffic = handedTraffic(this.#options.workers.ledger.traffic);
		this.#handed = { metrics, traffic, limits: this.#options.limits.handed };
		return this.#handed;
	}

	/** Since it was handed over. What limits have counted is where the other one finds it. */
	async since(): Promise<HandedCounts> {
		const { metrics, traffic } = this.#handed;
		return {
			metrics: countedSince(await this.#counters(), metrics),
			traffic: countedSince(handedTraffic(this.#options.workers.ledger.traffic), traffic),
			limits: {},
		};
	}

	async #counters(): Promise<MetricsSnapshot> {
		const { metrics, workers } = this.#options;
		return sumOfCounters([metrics.snapshot(), ...(await workers.counts())]);
	}

	#limits(): Promise<MetricsSnapshot> {
		const { limits, workers, counts } = this.#options;
		return limits.metrics(workers.ledger.traffic.shown.routes(), counts());
	}
}
