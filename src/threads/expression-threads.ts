/**
 * Opens the threads of a worker process in which expensive expressions are evaluated and long ones compiled. Called
 * once by process/worker/worker.ts.
 */
import { LIMITS } from "../limits/limits.ts";
import { EvaluationThread } from "./evaluation-thread.ts";
import type { ExpressionAnswer, ExpressionTask } from "./expression-task.ts";
import { ThreadQueue } from "./thread-queue.ts";

export interface ExpressionThreadsOptions {
	/** of a worker; of several, one is never one client's alone */
	readonly threads: number;
	/** milliseconds of work that an evaluation may take */
	readonly deadlineMs: number;
	/** as `ThreadQueueOptions.onLost` */
	readonly onLost: (message: string) => void;
	/** a thread was ended because of what it evaluated */
	readonly onReplaced: () => void;
}

/** @param file the program of the threads; tests have one of their own */
export const openExpressionThreads = (
	{ threads, deadlineMs, onLost, onReplaced }: ExpressionThreadsOptions,
	file: URL = new URL("./expression-task.js", import.meta.url),
): ThreadQueue<ExpressionTask, ExpressionAnswer> =>
	new ThreadQueue({
		makeThread: () => new EvaluationThread(file, deadlineMs, onReplaced),
		threads,
		// a second client shall not wait for the start of a second thread
		kept: Math.min(threads, 2),
		room: LIMITS.heavyQueue,
		roomEach: LIMITS.heavyQueuePerClient,
		runningEach: Math.max(1, threads - 1),
		stuckMs: LIMITS.heavyStuckMs,
		idleMs: LIMITS.heavyIdleMs,
		onLost,
	});
