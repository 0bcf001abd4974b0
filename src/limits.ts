/**
 * Everything that can grow has its bound here, with its unit and its source.
 * `contract n` and `spec n` name sections of the project's contract and specification.
 * Those that an operator may raise are the defaults of `limits` in the config file (`config.ts`). Those of
 * expressions while they run stand in `evaluation-limits.ts`.
 */
import { EVALUATION_LIMITS } from "./evaluation-limits.ts";
import { PROCESS_LIMITS } from "./process-limits.ts";
import { SLOW_CLIENT_LIMITS } from "./slow-client-limits.ts";
import { STORE_LIMITS } from "./store-limits.ts";
import { UPSTREAM_LIMITS } from "./upstream-limits.ts";

export const LIMITS = {
	...EVALUATION_LIMITS,
	...PROCESS_LIMITS,
	...SLOW_CLIENT_LIMITS,
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
	/**
	 * A policy document up to this many bytes is checked in the API's own thread (two or three rules, a few
	 * milliseconds), a larger one in another; documents that may wait for it; milliseconds from the wait's begin
	 * to giving up
	 */
	policyCheckAtOnceBytes: 1024,
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
	 * milliseconds of one turn of the event loop that go into compiling a policy, and its last step on top: a
	 * policy of three rules takes 1 ms within the request that asks for it first, one that takes longer goes on
	 * between requests while those that want it wait
	 */
	policySliceMs: 4,
	/** expressions and actions of a phase beyond which a policy is compiled when it is announced, asked for or not */
	policyPartsWithinRequest: 32,
	...STORE_LIMITS,
	...UPSTREAM_LIMITS,
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
	/** connections per backend address, as far as ports and descriptors go: 10 MB; requests waiting for one of them */
	upstreamConnections: 10_000,
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
} as const;
