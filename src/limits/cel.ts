/** Bounds of expressions and patterns: as they are written, and while they run. A part of `LIMITS` (`limits.ts`). */
export const CEL_LIMITS = {
	/** nesting depth of one expression's syntax tree; keeps recursion off the stack's end */
	expressionDepth: 128,
	/** nodes of one expression's syntax tree, macros written out: one per byte, which only masses of macros exceed */
	expressionNodes: 16_384,
	/** levels of one type, such as list<list<int>>; as deep as a literal may be */
	typeDepth: 128,
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
	/** problems reported for one expression */
	problemsPerExpression: 20,
	/** nanoseconds spent on all parts of an expression that are the same for every request, when it is compiled */
	constantNanoseconds: 2_000_000,
	/** shapes of code that are kept to be shared, the last met; a longer one is not (UTF-16 units) */
	sharedShapes: 2048,
	sharedShapeCharacters: 16_384,
	/** expressions that others are cast like, the last met, of rules and of texts each; a longer one is not (UTF-16 units) */
	moulds: 1024,
	mouldCharacters: 512,
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
	/** UTF-16 units of a pattern that is searched for as plain text; its cost grows with their product with the text's */
	literalPatternCharacters: 64,
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
	/** of a traced expression: parts that are told, and UTF-16 units of one value */
	tracedParts: 128,
	shownValueCharacters: 256,
} as const;
