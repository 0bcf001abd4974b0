/** The threads of a worker process for what would hold up its event loop. Opened once by process/worker.ts. */
import { LIMITS } from "../limits.ts";
import type { HeavyAnswer, HeavyTask } from "./heavy-task.ts";
import { Pool } from "./pool.ts";
import { ThreadQueue } from "./thread-queue.ts";

export const openHeavyQueue = (): ThreadQueue<HeavyTask, HeavyAnswer> =>
	new ThreadQueue({
		makeThread: () =>
			new Pool(
				new URL("./heavy-task.js", import.meta.url),
				LIMITS.heavyIdleMs,
				LIMITS.heavyHeapMegabytes,
			),
		threads: LIMITS.heavyThreads,
		room: LIMITS.heavyQueue,
		stuckMs: LIMITS.heavyStuckMs,
	});
