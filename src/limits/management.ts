/** Bounds of the management API (contract 2): resources, lists, bodies, connections. A part of `LIMITS` (`limits.ts`). */
export const MANAGEMENT_LIMITS = {
	/** characters of an id in a path (contract 2) */
	idCharacters: 128,
	/** UTF-8 bytes (contract 2) */
	descriptionBytes: 255,
	metadataBytes: 4096,
	/** hostports of one edge, backends of one route */
	hostportsPerEdge: 100,
	urlsPerBackend: 64,
	/**
	 * address lists; entries of one, and of all together, since every worker holds them: 10 to 34 bytes an entry. A body
	 * of `ipListBytes` has room for so many, each the longest that there is, written as people indent JSON
	 */
	ipLists: 1000,
	ipListEntries: 100_000,
	ipListEntriesTotal: 1_000_000,
	ipListBytes: 8_388_608,
	/** policies that the refusal to delete a list in use names */
	ipListPoliciesNamed: 10,
	/** characters of a route's `match` */
	matchCharacters: 1024,
	/** entries per page of a list (contract 2), warnings that an answer carries as header lines */
	pageSize: 100,
	warningLines: 10,
	/** a management body must bring so many bytes per window (milliseconds), or be complete: else 408 */
	managementBodyWindowMs: 8000,
	managementBodyWindowBytes: 131_072,
	/** of a refused body: bytes and milliseconds that are read and thrown away before answer and close */
	discardBytes: 16_777_216,
	discardMs: 2000,
	/** milliseconds without a byte after which a refused body is waited for no longer */
	discardIdleMs: 200,
	/** milliseconds that management requests in flight get when the server stops */
	managementDrainMs: 10_000,
	/** milliseconds that connections get to bring their request, or to leave, when another weir has taken over */
	managementLeaveMs: 1000,
	/** of an audit line: characters of a name, of a path; bytes of the names of rules, together. A line fits into 4 KiB */
	auditNameCharacters: 128,
	auditPathCharacters: 256,
	auditRulesBytes: 2048,
	/** names in `management.hosts` */
	managementHosts: 100,
	/** connections to the management API, and their share of the supervisor's descriptors, which is less if few */
	managementConnections: 1024,
	managementDescriptorShare: 0.25,
	/** rate-limits of one policy that `GET …/rate-limits` tells of */
	rateLimitsListed: 1000,
	/** operations of one transaction, and bytes of its body: the API's event loop is busy with them for a moment */
	transactionOperations: 5000,
	transactionBytes: 33_554_432,
	/** milliseconds for which operations of a transaction are checked before others get their turn */
	transactionSliceMs: 10,
	/** files of the live page */
	uiFiles: 200,
	/** streams of events at a time; milliseconds between two events; until one that is not read is given up */
	liveStreams: 32,
	liveMs: 1000,
	liveSlowMs: 5000,
	/** milliseconds that workers have to answer, so that what they count is in the event of the same second */
	liveAnswerMs: 250,
	/** points of the history, one a second; those that the problem "errors" looks at */
	livePoints: 900,
	liveErrorPoints: 10,
	/** refusals that the page lists, that one event tells of, characters of their texts */
	liveRefusals: 1000,
	liveRefusalsPerSecond: 50,
	/**
	 * refusals that can be asked for by request id (config, `decisions.keep`), and the most there may be: some 500 bytes
	 * each; those that one worker tells of each second, some 200 KiB
	 */
	decisionsKept: 10_000,
	decisionsKeptMax: 100_000,
	decisionsPerSecond: 500,
	/** milliseconds that one is waited for which no worker has told of yet */
	decisionWaitMs: 1500,
	liveRefusalCharacters: 256,
	/** changes that one event names */
	liveChanges: 50,
	/** backends of the overview; milliseconds until one that no worker speaks of is forgotten */
	liveUpstreams: 200,
	liveUpstreamMs: 60_000,
	/** routes per page at most and by default, hostports of each, characters of a search */
	liveRoutesPerPage: 100,
	liveRoutesPerPageDefault: 50,
	liveHostports: 10,
	liveSearchCharacters: 256,
	/** milliseconds after which the index of routes is dropped if nobody asks; routes read at a time to make it */
	liveIndexMs: 600_000,
	liveIndexBatch: 500,
	/** policies whose summaries are kept, and those whose rules are counted */
	livePolicySummaries: 10_000,
	liveHitPolicies: 200_000,
	/** candidates that reports are kept of: some 20 KiB each at most */
	candidatesCounted: 10_000,
	/** rate-limits that are shown; routes whose limits are looked at for them, the busiest */
	liveLimits: 100,
	liveLimitRoutes: 500,
} as const;
