/**
 * Counts the garbage collections of this process. The addon does so where it can, for what Node runs behind each to tell of it
 * keeps requests waiting about as long as the collection itself (native/src/binding/collections.cc). Used by
 * `process-metrics.ts`.
 */
import { constants, PerformanceObserver } from "node:perf_hooks";
import { addon } from "../native-addon.ts";
import type { LabelsOf } from "./metric-families.ts";
import { type Metrics, type MetricsSnapshot, series } from "./metrics.ts";

type Kind = LabelsOf<"weir_gc_runs_total">["kind"];

/** Each is one bit. */
const KINDS: readonly (readonly [Kind, number])[] = [
	["minor", constants.NODE_PERFORMANCE_GC_MINOR],
	["major", constants.NODE_PERFORMANCE_GC_MAJOR],
	["incremental", constants.NODE_PERFORMANCE_GC_INCREMENTAL],
	["weak", constants.NODE_PERFORMANCE_GC_WEAKCB],
];

/** @param process its name in the label @param counts of the addon; `uncounted`: Node tells of each */
export function countCollections(
	process: string,
	metrics: Metrics,
	counts: ArrayBuffer | "uncounted" = addon.countCollections() ?? "uncounted",
): void {
	const named = KINDS.map(([kind, bit]) => ({
		bit,
		runs: series("weir_gc_runs_total", { process, kind }),
		seconds: series("weir_gc_seconds_total", { process, kind }),
	}));
	if (counts !== "uncounted") {
		const numbers = new Float64Array(counts);
		metrics.source(() => {
			const told: Record<string, number> = {};
			for (const { bit, runs, seconds } of named) {
				const at = 2 * Math.log2(bit);
				if (numbers[at] === 0) continue;
				told[runs] = numbers[at] ?? 0;
				told[seconds] = (numbers[at + 1] ?? 0) / 1e9;
			}
			return told satisfies MetricsSnapshot;
		});
		return;
	}
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) {
			const { duration, detail } = entry as typeof entry & { detail?: { kind?: number } };
			const found = named.find(({ bit }) => bit === detail?.kind);
			if (found === undefined) continue;
			metrics.add(found.runs);
			metrics.add(found.seconds, duration / 1e3);
		}
	}).observe({ entryTypes: ["gc"] });
}
