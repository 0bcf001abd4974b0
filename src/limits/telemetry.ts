/** Bounds of log lines. A part of `LIMITS` (`limits.ts`). */
export const TELEMETRY_LIMITS = {
	/** characters of the reason in a log line about a failed expression */
	logReasonCharacters: 1000,
	/** milliseconds between log lines about one expression that fails; series that a worker counts such failures in */
	expressionLogMs: 1000,
	expressionErrorSeries: 1000,
	/** series that a worker counts requests over a rate-limit in, by rule and name */
	rateLimitSeries: 10_000,
	/** routes that are counted each for itself, by a worker and by the supervisor; 64 bytes each in a worker */
	countedRoutes: 200_000,
	/** of one route: rules that the supervisor knows counts of, and those with series of their own */
	countedRulesOfRoute: 10_000,
	ruleSeriesOfRoute: 100,
	/** addresses of backends with series of their own */
	countedBackends: 1000,
	/** routes with series of their own: by default, and at most; milliseconds between two choices of them */
	shownRoutes: 100,
	shownRoutesMax: 10_000,
	shownRoutesLookMs: 60_000,
	/** milliseconds between two looks at the system's clocks, which requests are not timed by */
	clockSyncMs: 1000,
	/** milliseconds: how often the event loop is asked how late it is, and over how long that is told */
	loopDelayStepMs: 50,
	loopDelayWindowMs: 15_000,
	/** bytes of log lines waiting for their destination; beyond it lines are dropped and counted */
	logBufferBytes: 8_388_608,
	/** bytes of log lines handed to one system call; milliseconds before a full pipe is tried again */
	logBatchBytes: 262_144,
	logRetryMs: 20,
	/** milliseconds between log lines that say that clients were sent away */
	refusalLogMs: 10_000,
	/** milliseconds between log lines that say that audit lines are lost */
	auditLossLogMs: 10_000,
	/** milliseconds between log lines about one backend or address and one kind of failure */
	upstreamLogMs: 1000,
	/** kinds of events whose log lines are thinned out each for itself (`telemetry/log-pace.ts`) */
	logPaces: 1024,
} as const;
