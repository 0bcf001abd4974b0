/** The bounds of expressions and patterns, and of the threads that go on with them: a part of `LIMITS` (`limits.ts`). */
export const EVALUATION_LIMITS = {
	/**
	 * nanoseconds that an expensive expression may be charged with in the event loop before a thread goes on with
	 * it. Charges are upper bounds, some four times what most evaluations take, so this is about what the way to
	 * the thread costs (45 µs): nobody pays more than twice what the better choice would have cost
	 */
	heavyInlineNanoseconds: 200_000,
	/**
	 * nanoseconds that all expressions of a request may be charged with in the event loop, both phases together; what
	 * is left then goes on in a thread
	 */
	requestInlineNanoseconds: 5_000_000,
	/**
	 * nanoseconds of an expression's worst case beyond which it counts what it does, turns of loops and searches
	 * included; and beyond which it is expensive: begun with a slice only
	 */
	countedAboveNanoseconds: 20_000,
	heavyAboveNanoseconds: 500_000,
	/** nanoseconds charged between two looks of a thread at its clock; mostly a tenth of it has passed */
	heavyPollNanoseconds: 500_000,
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
	 * together; below the 10 s after which the server library gives up on a client (`edge/patience.ts`)
	 */
	heavyWaitMs: 5000,
	/** milliseconds, its start and all its work included, after which a thread without answer is ended: a bug */
	heavyStuckMs: 30_000,
	/** megabytes of a thread's heap */
	heavyHeapMegabytes: 256,
	/** milliseconds without work after which the thread ends */
	heavyIdleMs: 60_000,
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
	/**
	 * steps V8 may take for one search, for each character and besides, and besides where an automaton can do it; a
	 * step takes some 0.5 to 2 ns. Where that surely takes 3 ns a character, V8, which is mostly quicker, gets texts
	 * up to so many UTF-16 units
	 */
	patternStepsPerCharacter: 64,
	patternSteps: 65_536,
	patternStepsBesideAutomaton: 4096,
	patternV8Text: 1024,
	/** steps V8 may take to find all matches of a url-rewrite where RE2 may take as long: 120 ms at most */
	replaceSteps: 60_000_000,
	/** UTF-16 units: a pattern that V8 could be given only shorter texts for is left to RE2 */
	patternShortestText: 16,
	/**
	 * instructions of a pattern's automaton, at most as many as RE2's program would have (`patternInstructions`) and
	 * what its alternatives need; bytes of the states of one, and of all that a thread has
	 */
	automatonInstructions: 10_000,
	automatonBytes: 1_048_576,
	automataBytes: 33_554_432,
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
