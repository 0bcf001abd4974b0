/**
 * Whether a silent worker stands still or merely works. Workers say each second that their event loop
 * turns; half of the new connections are lost on one that does not, so it has to be replaced, but one that
 * is busy or gets no processor must not be: killing those makes a slow moment an outage, and the
 * replacement would be no faster. Silence alone can't tell them apart; what the process does meanwhile can.
 *
 * | while silent | it is | and is |
 * |---|---|---|
 * | stopped (`T`, `t`), no processor time used | stopped by a signal | replaced after `workerSilentMs` |
 * | waits (`S`), no processor time used | in a deadlock: a loop that waits for events would have woken up to say so | the same |
 * | uses processor time | busy, or in an endless loop | replaced after `workerBusyMs` of that time, however long it takes |
 * | ready to run (`R`), no processor time used | starved: others have the processors, or a quota is used up | left alone |
 * | waits for a disk (`D`) | starved of it, or of memory that was swapped out | left alone; it could not even be killed |
 *
 * "No processor time used" is what every look of the last `workerStillMs` must have found, to the clock's
 * 10 ms, of all threads together: a main thread that waits while others collect its garbage is busy. Where
 * nothing is known of processes, silence of `workerSilentUnknownMs` decides.
 *
 * The one who listens may be at fault too: a supervisor that was stopped, starved or busy finds everybody
 * silent. `watchdog.ts` forgives the silence of a time in which it did not look in time itself.
 *
 * One per worker, from its fork on; clocks are the caller's, in milliseconds.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { ProcessSample } from "./process-sample.ts";

/** `still` and `endless` are to be replaced. */
export type Verdict = "alive" | "still" | "endless";

/** A worker's event loop has turned later than it should, so its process is looked at. */
const QUIET_MS = 2 * LIMITS.heartbeatMs;

export class Heartbeat {
	#heardMs: number;
	/** looks since it fell silent */
	#silence: { readonly firstCpuMs: number; cpuMs: number; stillSinceMs: number } | undefined;

	constructor(nowMs: number) {
		this.#heardMs = nowMs;
	}

	/** A sign of life, or a silence that is not the worker's fault. */
	heard(nowMs: number): void {
		this.#heardMs = nowMs;
		this.#silence = undefined;
	}

	silentMs(nowMs: number): number {
		return nowMs - this.#heardMs;
	}

	/** Its event loop does not turn as it should. */
	isQuiet(nowMs: number): boolean {
		return this.silentMs(nowMs) >= QUIET_MS;
	}

	/** It can't be counted on. */
	isLate(nowMs: number): boolean {
		return this.silentMs(nowMs) >= LIMITS.workerLateMs;
	}

	/**
	 * To be asked once per `heartbeatMs`.
	 * @param look called only if it has been silent for a while
	 * @param busyMs processor time that it may use in silence
	 */
	judge(nowMs: number, look: () => ProcessSample | undefined, busyMs: number): Verdict {
		if (!this.isQuiet(nowMs)) return "alive";
		const silentMs = this.silentMs(nowMs);
		const seen = look();
		if (seen === undefined) return silentMs >= LIMITS.workerSilentUnknownMs ? "still" : "alive";
		const { state, cpuMs } = seen;
		this.#silence ??= { firstCpuMs: cpuMs, cpuMs, stillSinceMs: nowMs };
		const silence = this.#silence;
		const doesNothing = cpuMs === silence.cpuMs && DOES_NOTHING.has(state);
		if (!doesNothing) silence.stillSinceMs = nowMs;
		silence.cpuMs = cpuMs;
		if (cpuMs - silence.firstCpuMs >= busyMs) return "endless";
		const isStill = nowMs - silence.stillSinceMs >= LIMITS.workerStillMs;
		return isStill && silentMs >= LIMITS.workerSilentMs ? "still" : "alive";
	}
}

const DOES_NOTHING = new Set(["S", "T", "t"]);
