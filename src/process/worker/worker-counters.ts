/** Opens the counters that all workers share, for one worker. Used by `worker.ts`. */
import { getSystemErrorName } from "node:util";
import { Counters } from "../../limiter/binding.ts";
import type { NativeLimiters } from "../../limiter/limiters.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";

/** rounds of touching are done in so many parts, so that 100,000 rate-limits take some 3 ms at a time */
const TOUCH_PARTS = 30;

/**
 * The file that the supervisor opened; memory of its own, and an error in the log, where that fails.
 * @param onAlone called then
 */
export function openWorkerCounters(path: string | null, log: Log, onAlone: () => void): Counters {
	if (path === null) return new Counters({});
	try {
		return new Counters({ path });
	} catch (error) {
		const reason = (error as Error).message;
		log.error({ file: path, reason }, "this worker counts rate-limits for itself");
		onAlone();
		return new Counters({});
	}
}

/** @returns a function that says it once, when the counters could not grow any more */
export function reportGrowth(
	counters: Pick<Counters, "growthError" | "statistics">,
	log: Log,
): () => void {
	let reported = 0;
	return () => {
		const { growthError } = counters;
		if (growthError === reported) return;
		reported = growthError;
		if (growthError === 0) return;
		const { bytes } = counters.statistics();
		log.error(
			{ reason: getSystemErrorName(-growthError), bytes },
			"the counters file can't grow: rate-limits forget keys to make room for new ones",
		);
	};
}

/** Tells all processes what was admitted and rejected here, for the management API. */
export function keepReported(limiters: Pick<NativeLimiters, "report">): void {
	setInterval(() => limiters.report(), LIMITS.limiterReportMs).unref();
}

/** Says all the time which rate-limits are in use. @param onRound called once per `LIMITS.limiterTouchMs` */
export function keepTouched(limiters: Pick<NativeLimiters, "touch">, onRound: () => void): void {
	let part = 0;
	setInterval(() => {
		limiters.touch(part, TOUCH_PARTS);
		part = (part + 1) % TOUCH_PARTS;
		if (part === 0) onRound();
	}, LIMITS.limiterTouchMs / TOUCH_PARTS).unref();
}
