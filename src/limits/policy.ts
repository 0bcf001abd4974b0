/** Bounds of policy documents (contract 3) and of what their actions do (contract 5). A part of `LIMITS` (`limits.ts`). */
export const POLICY_LIMITS = {
	/** bytes, one policy document (contract 3); also the bound of every management body (contract 2) */
	policyBytes: 1_048_576,
	policyBytesMax: 67_108_864,
	/** rules per phase (contract 3) */
	rulesPerPhase: 500,
	rulesPerPhaseMax: 100_000,
	/** expressions per rule (contract 3) */
	expressionsPerRule: 32,
	/** UTF-8 bytes of one expression (contract 3) */
	expressionBytes: 16_384,
	/** actions per rule (contract 3) */
	actionsPerRule: 32,
	/**
	 * tests in a document; requests that all of them send, and of one test; milliseconds that they may take together, and
	 * one expression of theirs. A PUT waits for them (contract 3, "Tests")
	 */
	policyTests: 200,
	policyTestRequests: 20_000,
	policyTestRepeatMax: 10_000,
	policyTestsMs: 5000,
	/** header fields of a test, milliseconds between its requests, address lists that it brings */
	policyTestHeaders: 100,
	policyTestEveryMsMax: 86_400_000,
	policyTestLists: 32,
	/** characters of a rule's or a rate-limit's name (contract 3, 5) */
	nameCharacters: 1023,
	/** header or metadata entries per action (contract 3) */
	headersPerAction: 64,
	/** UTF-8 bytes of a custom-response's content (contract 3) */
	contentBytes: 65_536,
	/** UTF-8 bytes of one header value, as written and as filled in (what common servers accept) */
	headerValueBytes: 8192,
	/**
	 * UTF-8 bytes of the header lines that actions add to a response. A request may have `requestHeaderBytes` and
	 * `requestHeaderLines` with them, so that expressions take no longer; the server library lets in so many lines
	 */
	addedHeaderBytes: 65_536,
	receivedHeaderLines: 98,
	/** entries of one list of a restrict-ips */
	addressesPerAction: 1000,
	/** stored address lists that one restrict-ips names; each is one look-up */
	listsPerAction: 32,
	/** entries and characters of the realm of a basic-auth */
	credentialsPerAction: 100,
	realmCharacters: 128,
	/** longest time that browsers keep the answer to a preflight; Chromium keeps none longer */
	corsMaxAgeSeconds: 7200,
	/** variables of one set-vars; UTF-8 bytes of one value, and of all that a request has (contract 4, 5) */
	varsPerAction: 32,
	varBytes: 16_384,
	varsBytes: 262_144,
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
	/** bucket_key elements (contract 5, "rate-limit") */
	bucketKeyElements: 10,
	/** admitted requests per window (contract 5, "rate-limit") */
	capacityMin: 1,
	capacityMax: 2_000_000_000,
	/** UTF-16 units of the value of one element that is an expression, as it is hashed */
	keyPartCharacters: 65_536,
	/** bits of an IPv6 address that rate-limits count, unless configured; and all that there are */
	ipv6Prefix: 64,
	ipv6PrefixMax: 128,
	/** least status code of a rate-limit's own answer: it says that something was refused */
	rejectionStatusCodeMin: 400,
	/** window length, milliseconds, and the step it must be a multiple of (contract 5, "rate-limit") */
	rateMinMs: 60_000,
	rateMaxMs: 86_400_000,
	rateStepMs: 10_000,
	/** spellings of window lengths, the last met, that need not be read again: policies have few, a tool one or two */
	ratesKept: 256,
} as const;
