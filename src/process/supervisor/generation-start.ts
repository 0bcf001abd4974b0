/** Starts a generation of workers and waits until all of them listen. Used by `worker-set.ts`. */
import type { WorkerHandle } from "./worker-handle.ts";
import { type ProcessEnd, startFailure } from "./worker-process.ts";

export interface StartEvents {
	onListening(worker: Pick<WorkerHandle, "pid">): void;
	onFatal(message: string): void;
	/** ended before it listened */
	onEarlyExit(end: ProcessEnd): void;
}

type Spawn = (index: number, events: StartEvents) => void;

/** @throws Error with the reason, when all have started or ended, if one can't start */
export async function startGeneration(workers: number, spawn: Spawn): Promise<void> {
	const started = Array.from({ length: workers }, (_, index) => startFirst(index, spawn));
	const results = await Promise.allSettled(started);
	const failed = results.find((result) => result.status === "rejected");
	if (failed !== undefined) throw failed.reason;
}

/** A worker of a new generation: its failure to start is the caller's, not a reason to try again. */
function startFirst(index: number, spawn: Spawn): Promise<void> {
	return new Promise((resolve, reject) => {
		let reason: string | undefined;
		spawn(index, {
			onListening: () => resolve(),
			onFatal: (message) => {
				reason = message;
			},
			onEarlyExit: ({ error }) => reject(new Error(reason ?? startFailure(index, error))),
		});
	});
}
