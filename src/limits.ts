/**
 * Everything that can grow has its bound here, with its unit and its source: `contract n`, `spec n` are sections.
 * Those that an operator may raise are the defaults of `limits` in the config file (`config.ts`).
 */
export const LIMITS = {
	/** bytes, one policy document (contract 3); also the bound of every management body (contract 2) */
	policyBytes: 1_048_576,
	/** rules per phase (contract 3) */
	rulesPerPhase: 500,
	/** expressions per rule (contract 3) */
	expressionsPerRule: 32,
	/** UTF-8 bytes of one expression (contract 3) */
	expressionBytes: 16_384,
	/** actions per rule (contract 3) */
	actionsPerRule: 32,
	/** characters of a rule's or a rate-limit's name (contract 3, 5) */
	nameCharacters: 1023,
	/** header or metadata entries per action (contract 3) */
	headersPerAction: 64,
	/** UTF-8 bytes of a custom-response's content (contract 3) */
	contentBytes: 65_536,
	/** UTF-8 bytes of one header value, as written and as filled in (what common servers accept) */
	headerValueBytes: 8192,
	/** UTF-8 bytes of a url-rewrite's pattern and replacement */
	patternBytes: 16_384,
	replacementBytes: 16_384,
	/** characters of a URL that a url-rewrite makes; what the request line and headers may have together */
	rewrittenUrlCharacters: 65_536,
	/**
	 * matches of one url-rewrite times characters of the URL; each match may cost a look at all the rest
	 * (measured: `x.*y|x` on 20,000 x took 8.3 s without this bound). A URL of 8 KiB may match 1024 times
	 */
	rewriteScanCharacters: 8_388_608,
	/**
	 * nanoseconds that RE2 may take, in the thread, for all matches of a url-rewrite, and may be charged with for
	 * the first; below `heavyDeadlineMs`. A pattern of 30 instructions may search 64 KiB
	 */
	rewriteBudgetNanoseconds: 200_000_000,
	/** status codes that an action may answer with (contract 5) */
	statusCodeMin: 200,
	statusCodeMax: 599,
	/** characters of a compiler's message or a warning's line, of an expression around a problem's caret */
	problemMessageCharacters: 300,
	excerptCharacters: 120,
	/** nesting depth of a JSON document; the deepest valid policy needs far less */
	jsonDepth: 64,
	/** nesting depth of one expression's syntax tree; keeps recursion off the stack's end */
	expressionDepth: 128,
	/** nodes of one expression's syntax tree, macros written out: one per byte, which only masses of macros exceed */
	expressionNodes: 16_384,
	/** levels of one type, such as list<list<int>>; as deep as a literal may be */
	typeDepth: 128,
	/** problems reported for one document; the rest are counted in the last entry */
	problemsPerDocument: 100,
	/** bucket_key elements (spec 2.5) */
	bucketKeyElements: 10,
	/** admitted requests per window (spec 2.5) */
	capacityMin: 1,
	capacityMax: 2_000_000_000,
	/** window length, milliseconds, and the step it must be a multiple of (spec 2.5) */
	rateMinMs: 60_000,
	rateMaxMs: 86_400_000,
	rateStepMs: 10_000,
	/** characters of an id in a path (contract 2) */
	idCharacters: 128,
	/** UTF-8 bytes (contract 2) */
	descriptionBytes: 255,
	metadataBytes: 4096,
	/** hostports of one edge, backends of one route */
	hostportsPerEdge: 100,
	urlsPerBackend: 64,
	/** characters of a host; names end at 253 (RFC 1035 2.3.4), the rest is the dot and brackets */
	hostCharacters: 255,
	/** characters of a route's `match` */
	matchCharacters: 1024,
	/** entries per page of a list (contract 2), warnings that an answer carries as header lines */
	pageSize: 100,
	warningLines: 10,
	/** bytes of request line and headers (contract 6); lines, though the server library answers 431 to more than 98 */
	requestHeaderBytes: 65_536,
	requestHeaderLines: 100,
	/** keys one rate-limit keeps count of (contract 1, `counters.keys_max`) */
	keysPerRateLimit: 65_536,
	/** the most an operator may set it to: 640 MB at 64 bytes a key, 5.1 GB at 512 */
	keysPerRateLimitMax: 10_000_000,
	/** bytes that the counters file may grow to; address space is reserved for all of it */
	countersBytes: 17_179_869_184,
	/** milliseconds after which a worker says again which rate-limits are in use; far below the collector's grace */
	limiterTouchMs: 30_000,
	/** milliseconds between rounds of the collector, and cells (64 to 512 bytes) it looks at in one go */
	countersCollectMs: 10_000,
	countersCellsPerSlice: 20_000,
	/** milliseconds a worker has to take over a published change before it is replaced (design, processes) */
	publishAckMs: 5000,
	/**
	 * A policy document up to this many bytes is checked in the API's own thread (two or three rules, a few
	 * milliseconds), a larger one in another; documents that may wait for it; milliseconds from the wait's begin
	 * to giving up
	 */
	policyCheckAtOnceBytes: 1024,
	policyCheckQueue: 32,
	policyCheckMs: 60_000,
	/**
	 * nanoseconds that an expensive expression may be charged with in the event loop before a thread goes on with
	 * it. Charges are upper bounds, some four times what most evaluations take, so this is about what the way to
	 * the thread costs (45 µs): nobody pays more than twice what the better choice would have cost
	 */
	heavyInlineNanoseconds: 200_000,
	/** as `heavyInlineNanoseconds`, of all expensive expressions of a phase together, until it waits */
	phaseInlineNanoseconds: 5_000_000,
	/** nanoseconds of an expression's worst case beyond which it is expensive: it counts what it does */
	heavyAboveNanoseconds: 500_000,
	/** nanoseconds that it may take in the thread; beyond them it fails */
	heavyBudgetNanoseconds: 100_000_000,
	/** threads of a worker process for expensive expressions, and evaluations that may wait for one of them */
	heavyThreads: 1,
	heavyQueue: 128,
	/**
	 * milliseconds that a phase of a policy may wait for its expensive expressions, all of them together; far
	 * below the 10 s after which the server library gives up on a client (`edge/patience.ts`)
	 */
	heavyDeadlineMs: 500,
	/** milliseconds, its start included, after which a thread without answer is ended: a bug, evaluations have a budget */
	heavyStuckMs: 5000,
	/** megabytes of a thread's heap */
	heavyHeapMegabytes: 256,
	/** milliseconds without work after which the thread ends */
	heavyIdleMs: 60_000,
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
	 * milliseconds of one turn of the event loop that go into compiling a policy, and its last step on top: a
	 * policy of three rules takes 1 ms within the request that asks for it first, one that takes longer goes on
	 * between requests while those that want it wait
	 */
	policySliceMs: 4,
	/** expressions and actions of a phase beyond which a policy is compiled when it is announced, asked for or not */
	policyPartsWithinRequest: 32,
	/** bytes of log lines waiting for their destination; beyond it lines are dropped and counted */
	logBufferBytes: 8_388_608,
	/** bytes of the store's memory map, so of its file; a write beyond it is refused (address space only) */
	storeBytes: 17_179_869_184,
	/** writes that share one commit and its sync; more wait for the next, so the event loop turns */
	writesPerCommit: 256,
	/** API keys stored; each is compared on every management request */
	apiKeys: 1000,
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
	/** characters of the reason in a log line about a failed expression */
	logReasonCharacters: 1000,
	/** connections per backend address, and requests waiting for one of them */
	upstreamConnections: 256,
	upstreamQueue: 1024,
	/** the most a backend may set (Linux has 28,000 ports to one address); requests on one connection break together */
	upstreamConnectionsMax: 10_000,
	upstreamPipeliningMax: 64,
	/**
	 * milliseconds between looks at a backend's name, as DNS says within bounds: a TTL of 0 must not keep DNS
	 * busy, one of days not hide a move; the default where it says nothing, as of the hosts file
	 */
	nameRefreshMinMs: 1000,
	nameRefreshMaxMs: 300_000,
	nameRefreshDefaultMs: 30_000,
	/**
	 * milliseconds from a failed look to the next, doubling; that requests wait for the very first; that DNS has
	 * to tell a TTL, first of two tries
	 */
	nameRetryMs: 1000,
	nameRetryMaxMs: 30_000,
	nameFirstLookMs: 5000,
	nameTtlMs: 1000,
	/** looks at once, as many as libuv has threads for; of those, at names that failed: they take 10 s each */
	nameLooks: 2,
	nameLooksFailing: 1,
	/** addresses of one name that are used (DNS over UDP carries 250), and of a backend that are remembered */
	addressesPerName: 256,
	addressesRemembered: 1024,
	/** bytes and lines of an upstream's response header; interim responses count on their own */
	responseHeaderBytes: 65_536,
	responseHeaderLines: 256,
	/**
	 * milliseconds that an unused connection to an upstream stays open, below the 5 s after which common
	 * servers (Node, Apache, uvicorn) close theirs; a `keep-alive: timeout=` hint is honoured up to the second;
	 * up to the third it may still carry a request that can't be repeated
	 */
	upstreamIdleMs: 4000,
	upstreamIdleHintedMs: 60_000,
	upstreamReuseMs: 1000,
	/** request-body bytes read from a client before the upstream begins; taken by it and not yet by its socket */
	requestBodyBufferBytes: 262_144,
	upstreamBodyBufferBytes: 65_536,
	/** problems reported for one expression */
	problemsPerExpression: 20,
	/** nanoseconds spent on all parts of an expression that are the same for every request, when it is compiled */
	constantNanoseconds: 2_000_000,
	/** expressions that a thread for expensive ones keeps compiled */
	heavyExpressionsKept: 1024,
	/** UTF-16 units of a string made by replace, join, format or a template */
	evaluationTextCharacters: 1_048_576,
	/** elements of a list that `flatten` makes, and of one that `lists.range` makes */
	flatListElements: 100_000,
	rangeElements: 10_000,
	/**
	 * instructions of a pattern's program, its repetitions written out. RE2 takes up to 45 ns for each
	 * instruction and character, 7 s for 2500 on 64 KiB, so evaluations are bounded by `matchCost`
	 */
	patternInstructions: 2500,
	/** a pattern that V8 may run: its nested groups, and characters of its translation to JavaScript */
	patternDepth: 50,
	patternTranslatedCharacters: 16_384,
	/** steps V8 may take for one search, for each character and besides; a step takes some 0.5 to 2 ns */
	patternStepsPerCharacter: 64,
	patternSteps: 65_536,
	/** steps V8 may take to find all matches of a url-rewrite where RE2 may take as long: 120 ms at most */
	replaceSteps: 60_000_000,
	/** UTF-16 units: a pattern that V8 could be given only shorter texts for is left to RE2 */
	patternShortestText: 16,
	/** backtracks after which V8 goes on with its linear engine; more than a text of any length admits */
	patternBacktracks: 70_000_000,
	/** patterns kept ready to run, and what is known of patterns before that */
	openPatterns: 4096,
	preparedPatterns: 256,
	/** patterns kept that requests bring along, and UTF-8 bytes of one of them */
	dynamicPatterns: 64,
	dynamicPatternBytes: 2048,
	/**
	 * values of one attribute by which a rule is found in the index of its phase; a policy of full size that has
	 * as many in each rule adds 50 ms to compiling it
	 */
	guardValues: 64,
	/** nanoseconds (27 hours) of an expression's worst case beyond which it is refused when written */
	refusedAboveNanoseconds: 1e14,
} as const;
