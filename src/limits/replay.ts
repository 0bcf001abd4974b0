/** Bounds of replays of access logs (`src/replay/`). A part of `LIMITS` (`limits.ts`). */
export const REPLAY_LIMITS = {
	/**
	 * lines are written when requests end and replayed in the order in which they began: how many wait for earlier ones, at
	 * some 1.5 KB each, and over how many milliseconds of the log's time
	 */
	replayReorderLines: 20_000,
	replayReorderMs: 60_000,
	/** bytes of one line: what an access line with 64 fields of full length has at most, and more */
	replayLineBytes: 1_048_576,
	/** bytes that are read at a time, about a hundredth of a second's work */
	replayChunkBytes: 262_144,
	/** routes that a policy is opened for */
	replayRoutes: 100_000,
	/** names of header fields that lines are known to hold */
	replayFieldNames: 1000,
	/** clients, paths, rules and routes that differences are counted for; those beyond are counted as one */
	replayTallied: 100_000,
	/** of them those that are told, by default and at most; differences that are shown with their lines, likewise */
	replayTop: 10,
	replayTopMax: 10_000,
	replaySamples: 5,
	replaySamplesMax: 10_000,
	/** milliseconds between two states of the progress bar */
	replayBarMs: 200,
	/** characters of the progress bar */
	replayBarCharacters: 30,
} as const;
