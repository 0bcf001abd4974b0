/** Loaded into weir's processes before their own code where `bench/tails.mjs` traces: tells each collection to a file. */
import { appendFileSync } from "node:fs";
import { constants, PerformanceObserver, performance } from "node:perf_hooks";

const KINDS = {
	[constants.NODE_PERFORMANCE_GC_MINOR]: "young",
	[constants.NODE_PERFORMANCE_GC_MAJOR]: "full",
	[constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "step",
	[constants.NODE_PERFORMANCE_GC_WEAKCB]: "callbacks",
};
/** of the monotonic clock, which client and kernel go by, when `performance.now()` was 0 */
const ORIGIN = process.hrtime.bigint() - BigInt(Math.round(performance.now() * 1e6));
const FILE = `${process.env.WEIR_BENCH_COLLECTIONS}-${process.pid}`;

if (process.env.WEIR_BENCH_COLLECTIONS !== undefined)
	new PerformanceObserver((list) => {
		const lines = list.getEntries().map((entry) => {
			const { detail } = /** @type {{detail?: {kind?: number}}} */ (/** @type {unknown} */ (entry));
			const begun = ORIGIN + BigInt(Math.round(entry.startTime * 1e6));
			return `${begun} ${Math.round(entry.duration * 1e6)} ${KINDS[detail?.kind ?? 0] ?? "other"}\n`;
		});
		appendFileSync(FILE, lines.join(""));
	}).observe({ entryTypes: ["gc"] });
