/**
 * What a process takes of the machine: processor, memory, descriptors, how busy and how late its event loop is, garbage
 * collection. Begun once by the supervisor (`process/supervisor/serve.ts`) and by each worker (`process/worker/worker.ts`).
 */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { LIMITS } from "../limits/limits.ts";
import { addon } from "../native-addon.ts";
import { countCollections } from "./collections.ts";
import { type Metrics, type MetricsSnapshot, series } from "./metrics.ts";

/** @param process its name in the label: `supervisor`, `worker 0`, … */
export function countProcess(process: string, metrics: Metrics): void {
	countCollections(process, metrics);
	const lateness = watchLoop();
	metrics.source(() => ({ ...taken(process), ...lateness(process) }));
}

function taken(name: string): MetricsSnapshot {
	const { user, system } = process.cpuUsage();
	const { rss, heapUsed } = process.memoryUsage();
	const cpu = (mode: "user" | "system") =>
		series("weir_process_cpu_seconds_total", { process: name, mode });
	const open = openDescriptors();
	return {
		[cpu("user")]: user / 1e6,
		[cpu("system")]: system / 1e6,
		[series("weir_process_resident_bytes", { process: name })]: rss,
		[series("weir_process_heap_bytes", { process: name })]: heapUsed,
		[series("weir_process_descriptors_max", { process: name })]: addon.descriptorLimit(),
		...(open === undefined
			? {}
			: { [series("weir_process_open_descriptors", { process: name })]: open }),
		[series("weir_event_loop_busy_seconds_total", { process: name })]:
			performance.eventLoopUtilization().active / 1e3,
	};
}

/** Where the system lists them. */
function openDescriptors(): number | undefined {
	try {
		// One is that of the list.
		return readdirSync("/proc/self/fd").length - 1;
	} catch {
		return undefined;
	}
}

/** @returns how late it was in the last whole window, or since the start while there was none */
function watchLoop(): (process: string) => MetricsSnapshot {
	const resolution = LIMITS.loopDelayStepMs;
	const histogram = monitorEventLoopDelay({ resolution });
	histogram.enable();
	const read = (): readonly number[] =>
		[histogram.percentile(50), histogram.percentile(99), histogram.max].map((nanoseconds) =>
			histogram.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolution / 1e3),
		);
	let last: readonly number[] | undefined;
	setInterval(() => {
		last = read();
		histogram.reset();
	}, LIMITS.loopDelayWindowMs).unref();
	return (name) => {
		const seconds = last ?? read();
		return Object.fromEntries(
			(["median", "p99", "max"] as const).map((statistic, at) => [
				series("weir_event_loop_delay_seconds", { process: name, statistic }),
				seconds[at] ?? 0,
			]),
		);
	};
}
