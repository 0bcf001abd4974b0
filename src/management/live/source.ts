/**
 * The port between the live feed and the process that has the workers: `process/supervisor/live-workers.ts` implements it
 * over worker processes, tests with plain objects.
 */
import type { LiveReport } from "../../telemetry/live-report.ts";
import type { TrafficChange } from "../../telemetry/traffic/worker-traffic.ts";
import type { LiveProblem, WorkerState } from "./shapes.ts";

export interface Reported {
	/** the worker's place, from 0 */
	readonly index: number;
	readonly pid: number;
	/** in which it was counted */
	readonly elapsedMs: number;
	readonly traffic: readonly ToldTraffic[];
	readonly report: LiveReport;
}

export interface ToldTraffic extends TrafficChange {
	/** when the worker's message came, as `performance.now()` */
	readonly toldAt: number;
}

export interface SeenWorker {
	readonly index: number;
	readonly pid: number | undefined;
	readonly state: Exclude<WorkerState, "missing">;
	/** the newest revision that it has taken over; undefined: it still loads */
	readonly policyVersion: number | undefined;
	/** since 1970 */
	readonly startedMs: number;
}

/** Something that is wrong, as far as the process knows by itself; `feed.ts` notes since when. */
export type Condition = Pick<LiveProblem, "id" | "severity" | "sentence">;

export interface LiveSource {
	/** Asks every worker; one that does not answer in time is not waited for, its report is in the next collection. */
	collect(): Promise<readonly Reported[]>;
	workers(): readonly SeenWorker[];
	/** how many should serve */
	readonly workersWanted: number;
	/** grows with each change that has been published */
	readonly revision: number;
	conditions(): readonly Condition[];
}
