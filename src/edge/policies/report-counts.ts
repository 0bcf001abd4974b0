/**
 * Counts what actions that are not enforced would have done, by route and report. There may be any number of routes, so
 * series beyond a bound are one for each report. Used by `services.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { type Counter, type Metrics, series } from "../../telemetry/metrics.ts";

/** No edge can have it as its id. */
const OTHERS = "(others)";

export class ReportCounts {
	readonly #metrics: Metrics;
	/** by edge, route and report, which hold no such character as is between them */
	readonly #counters = new Map<string, Counter>();

	constructor(metrics: Metrics) {
		this.#metrics = metrics;
	}

	/** @param report as `reportName` has it */
	reported(edge: string, route: string, report: string): void {
		const key = `${edge}\n${route}\n${report}`;
		let counter = this.#counters.get(key);
		if (counter === undefined) {
			const isRoom = this.#counters.size < LIMITS.policyReportSeries;
			const labels = isRoom ? { edge, route, report } : { edge: OTHERS, route: "", report };
			counter = this.#metrics.counter(series("weir_policy_reports_total", labels));
			if (isRoom) this.#counters.set(key, counter);
		}
		counter.value++;
	}
}
