/** What a worker says of itself for the live page, when it is asked, once a second. Used by `worker.ts`. */
import type { Edge } from "../../edge/edge.ts";
import type { LiveReport } from "../../telemetry/live-report.ts";

const NOTHING = { inFlight: 0, refusals: 0, refused: [], candidates: [] };

export class LiveReporter {
	#cpu = process.cpuUsage();
	#atMs = performance.now();

	/** @param edge undefined: it still starts */
	report(edge: Pick<Edge, "takeLive"> | undefined): LiveReport {
		const nowMs = performance.now();
		const cpu = process.cpuUsage();
		const microseconds = cpu.user + cpu.system - this.#cpu.user - this.#cpu.system;
		const elapsedMs = Math.max(nowMs - this.#atMs, 1);
		this.#cpu = cpu;
		this.#atMs = nowMs;
		return {
			...(edge?.takeLive() ?? NOTHING),
			cpu: microseconds / 1000 / elapsedMs,
			rssBytes: process.memoryUsage.rss(),
		};
	}
}
