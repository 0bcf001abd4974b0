/** A worker's way to the counters that it shares with the others; used by `worker.ts`. */
import { getSystemErrorName } from "node:util";
import { Counters } from "../limiter/binding.ts";
import type { Log } from "../log.ts";

/** The file that the supervisor opened; memory of its own, and an error in the log, where that fails. */
export function openWorkerCounters(path: string | null, log: Log): Counters {
	if (path === null) return new Counters({});
	try {
		return new Counters({ path });
	} catch (error) {
		const reason = (error as Error).message;
		log.error({ file: path, reason }, "this worker counts rate-limits for itself");
		return new Counters({});
	}
}

/** @returns a function that says it once, when the counters could not grow any more */
export function reportGrowth(counters: Pick<Counters, "statistics">, log: Log): () => void {
	let reported = 0;
	return () => {
		const { growthError, bytes } = counters.statistics();
		if (growthError === reported) return;
		reported = growthError;
		if (growthError === 0) return;
		log.error(
			{ reason: getSystemErrorName(-growthError), bytes },
			"the counters file can't grow: rate-limits forget keys to make room for new ones",
		);
	};
}
