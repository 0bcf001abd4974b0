/**
 * Looks at all workers once per `LIMITS.heartbeatMs` and names those to be replaced; `heartbeat.ts` decides.
 * Used by `worker-set.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Heartbeat, Verdict } from "./heartbeat.ts";
import { type ProcessSample, sampleProcess } from "./process-sample.ts";

export interface Watched {
	readonly pid: number | undefined;
	readonly heartbeat: Heartbeat;
	/** milliseconds of processor time that it may use in silence */
	readonly busyMs: number;
}

export interface Stuck {
	readonly verdict: Exclude<Verdict, "alive">;
	readonly silentMs: number;
}

/** For the log. */
export const STUCK: Readonly<Record<Stuck["verdict"], string>> = {
	still: "worker stands still and is replaced",
	endless: "worker goes round in circles and is replaced",
};

/** A look that comes later than this says more about the supervisor than about workers. */
const LATE_MS = 2 * LIMITS.heartbeatMs;

export class Watchdog<W extends Watched> {
	readonly #workers: Iterable<W>;
	readonly #onStuck: (worker: W, stuck: Stuck) => void;
	readonly #sample: typeof sampleProcess;
	#lookedMs: number;

	/** @param workers those of each moment */
	constructor(
		workers: Iterable<W>,
		onStuck: (worker: W, stuck: Stuck) => void,
		nowMs: number,
		sample: (pid: number | undefined) => ProcessSample | undefined = sampleProcess,
	) {
		this.#workers = workers;
		this.#onStuck = onStuck;
		this.#sample = sample;
		this.#lookedMs = nowMs;
	}

	look(nowMs: number): void {
		const wasLate = nowMs - this.#lookedMs > LATE_MS;
		this.#lookedMs = nowMs;
		for (const worker of [...this.#workers]) {
			const { heartbeat, pid, busyMs } = worker;
			if (wasLate) heartbeat.heard(nowMs);
			const verdict = heartbeat.judge(nowMs, () => this.#sample(pid), busyMs);
			if (verdict === "alive") continue;
			const silentMs = heartbeat.silentMs(nowMs);
			// Told once; what takes long to die, as what waits for a disk does, is told again much later.
			heartbeat.heard(nowMs);
			this.#onStuck(worker, { verdict, silentMs });
		}
	}
}
