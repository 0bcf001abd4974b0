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
} as const;
