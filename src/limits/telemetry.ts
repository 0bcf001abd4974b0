/** Bounds of log lines. A part of `LIMITS` (`limits.ts`). */
export const TELEMETRY_LIMITS = {
	/** characters of the reason in a log line about a failed expression */
	logReasonCharacters: 1000,
	/** milliseconds between log lines about one expression that fails; series that a worker counts such failures in */
	expressionLogMs: 1000,
	expressionErrorSeries: 1000,
	/** series that a worker counts requests over a rate-limit in, by rule and name */
	rateLimitSeries: 10_000,
	/** series that a worker counts what actions would have done in, by route and report */
	policyReportSeries: 1000,
	/** routes that are counted each for itself, by a worker and by the supervisor; some 200 bytes each in a worker */
	countedRoutes: 200_000,
	/** of one route: rules that the supervisor knows counts of, and those with series of their own */
	countedRulesOfRoute: 10_000,
	ruleSeriesOfRoute: 100,
	/** addresses of backends with series of their own; milliseconds between two searches for some that are gone, when there is no room */
	countedBackends: 1000,
	backendsLookMs: 1000,
	/** routes with series of their own: by default, and at most; milliseconds between two choices of them */
	shownRoutes: 100,
	shownRoutesMax: 10_000,
	shownRoutesLookMs: 60_000,
	/** routes with series, and earlier ones, of which it is known where their series were; above `shownRoutesMax` */
	knownShownRoutes: 20_000,
	/** characters of the names of what is handed over of routes, rules and backends in an upgrade; some 70 a series */
	handedTrafficCharacters: 8_000_000,
	/** former limits of a route's policies that are remembered, so that they count on where they were if they come back */
	formerLimitsOfRoute: 50,
	/** milliseconds between two looks at the system's clocks, which requests are not timed by */
	clockSyncMs: 1000,
	/** milliseconds from the last such look beyond which requests' clock is not believed */
	clockTrustMs: 60_000,
	/** routes, and rules, that a worker tells counts of at a time; the others wait until it is asked again */
	countsTold: 5000,
	/** names of a route's rules that the rows of all workers share */
	namedRules: 512,
	/**
	 * milliseconds: how often the event loop is asked how late it is, which wakes a process that has nothing to do, and over
	 * how long that is told
	 */
	loopDelayStepMs: 50,
	loopDelayWindowMs: 15_000,
	/** bytes of log lines waiting for their destination; beyond it lines are dropped and counted */
	logBufferBytes: 8_388_608,
	/**
	 * bytes of log lines handed to one system call; milliseconds from one to the next where lines come for each request, and
	 * before a full pipe is tried again
	 */
	logBatchBytes: 262_144,
	logPaceMs: 10,
	logRetryMs: 20,
	/** milliseconds between log lines that say that clients were sent away */
	refusalLogMs: 10_000,
	/** milliseconds between log lines that say that audit lines are lost */
	auditLossLogMs: 10_000,
	/** milliseconds between log lines about one backend or address and one kind of failure */
	upstreamLogMs: 1000,
	/** kinds of events whose log lines are thinned out each for itself (`telemetry/log-pace.ts`) */
	logPaces: 1024,
	/** characters of a path, a query, a header field and the like in an access line; what is longer is cut */
	accessTextCharacters: 1024,
	/** header fields that access lines may tell, of requests and of answers each */
	loggedHeaders: 32,
	/** characters of a request id that a proxy in front brings */
	requestIdCharacters: 128,
	/** characters of a text in a span */
	traceTextCharacters: 256,
	/** spans of a worker that wait for the collector; beyond it they are dropped and counted */
	traceQueueSpans: 4096,
	/** spans in one request to the collector: putting them together holds the event loop up for about a millisecond */
	traceBatchSpans: 64,
	/** milliseconds that spans wait for others, that the collector has to answer, and that a stop waits for it */
	traceIntervalMs: 500,
	traceTimeoutMs: 5000,
	traceFlushMs: 1000,
	/** milliseconds between log lines that say that the collector takes no spans */
	traceLossLogMs: 10_000,
} as const;
