/** Bounds of the threads beside an event loop, for expensive expressions, compiling and checking. A part of `LIMITS` (`limits.ts`). */
export const THREADS_LIMITS = {
	/**
	 * A policy document up to this many bytes is checked in the API's own thread (two or three rules, a few
	 * milliseconds), a larger one in another; documents that may wait for it; milliseconds from the wait's begin
	 * to giving up
	 */
	policyCheckAtOnceBytes: 1024,
	/** policies that were found valid last, which are known by their text */
	policyChecksKnown: 8,
	policyCheckQueue: 32,
	policyCheckMs: 60_000,
	/**
	 * characters of an expression or template that a worker compiles in its event loop (1 to 4 ms, patterns
	 * made for it some 10);
	 * longer ones are compiled in the thread, so many characters at a time
	 */
	compileHereCharacters: 256,
	/** as `compileHereCharacters`, of what holds a pattern: 64 characters take up to some 5 ms */
	patternHereCharacters: 64,
	compileBatchCharacters: 4096,
	/** milliseconds that a batch may wait and take, before it is compiled in the event loop all the same */
	compileMs: 2000,
	/**
	 * milliseconds of work that one evaluation may take in a thread, processor time where the system tells it (config,
	 * `expressions.deadline_ms`, and the most that it may be); so many times that by the clock, whatever else runs
	 */
	heavyDeadlineMs: 100,
	heavyDeadlineMsMax: 2000,
	heavyStarvedTimes: 30,
	/** threads of a worker process for expensive expressions (config, `expressions.threads`), and the most there may be */
	heavyThreads: 2,
	heavyThreadsMax: 16,
	/** evaluations that may wait for one of them, and those of one client among them */
	heavyQueue: 1024,
	heavyQueuePerClient: 64,
	/**
	 * milliseconds that a phase of a policy may wait until a thread begins with its expensive expressions, all of them
	 * together; below the 10 s after which the server library gives up on a client (`edge/slow/idle-timeouts.ts`)
	 */
	heavyWaitMs: 5000,
	/** milliseconds, its start and all its work included, after which a thread without answer is ended: a bug */
	heavyStuckMs: 30_000,
	/** megabytes of a thread's heap */
	heavyHeapMegabytes: 256,
	/** milliseconds without work after which the thread ends */
	heavyIdleMs: 60_000,
	/** expressions that a thread for expensive ones keeps compiled */
	heavyExpressionsKept: 1024,
} as const;
