/** Bounds of explanations (`src/explain/`). */
export const EXPLAIN_LIMITS = {
	/** expressions whose parts one explanation tells; each costs some 0.2 ms */
	explainedExpressions: 48,
	/** characters of a method */
	explainedMethodCharacters: 64,
	/** milliseconds of one explanation's evaluations; milliseconds after which one is given up */
	explainWorkMs: 2000,
	explainMs: 15_000,
	/** explanations that may wait; times that one is begun anew because it asks for what a limit has used */
	explainQueue: 64,
	explainRounds: 64,
	/** policies and address lists that the thread keeps ready */
	explainPoliciesKept: 8,
	explainListsKept: 16,
	/** milliseconds of work between which others of the supervisor have their turn; resources between looks at the clock */
	explainSliceMs: 3,
	explainSliceReads: 64,
	/** edges and routes that are told of as close */
	explainNear: 5,
	/** tokens that live at one time; seconds that one lives if nothing else is said, and at most */
	explainTokens: 32,
	explainTokenSeconds: 300,
	explainTokenSecondsMax: 3600,
	/** requests that one token has explained, if nothing else is said, and at most */
	explainTokenRequests: 100,
	explainTokenRequestsMax: 1000,
	/** characters of a field's name, or of an address, that a token is bound to */
	explainedFieldCharacters: 128,
	/** requests that one worker takes down in a second: each costs the supervisor's thread some milliseconds */
	explainedPerSecond: 20,
	/** characters that are taken down of a request and of its response together, some 200 KiB; rate-limits of it */
	seenCharacters: 200_000,
	seenLimits: 64,
	/** explanations that can be asked for by request id, and what they take together as JSON: 32 MiB */
	explanationsKept: 1000,
	explanationsKeptBytes: 33_554_432,
	/** rules that the log tells of an explanation */
	explainedLogRules: 50,
} as const;
