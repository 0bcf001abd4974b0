/** The threads of a worker process for what would hold up its event loop. Opened once by process/worker.ts. */
import { LIMITS } from "../limits.ts";
import type { HeavyAnswer, HeavyTask } from "./heavy-task.ts";
import { Pool } from "./pool.ts";
import { ThreadQueue } from "./thread-queue.ts";

/**
 * @param onLost as `ThreadQueueOptions.onLost`
 * @param file what the threads run; tests run something else
 */
export const openHeavyQueue = (
	onLost: (message: string) => void,
	file: URL = new URL("./heavy-task.js", import.meta.url),
): ThreadQueue<HeavyTask, HeavyAnswer> =>
	new ThreadQueue({
		makeThread: () => new Pool(file, LIMITS.heavyHeapMegabytes),
		threads: LIMITS.heavyThreads,
		room: LIMITS.heavyQueue,
		stuckMs: LIMITS.heavyStuckMs,
		idleMs: LIMITS.heavyIdleMs,
		onLost,
	});
