/** Bounds of what HTTP/1.1 messages are made of, on both sides of weir. A part of `LIMITS` (`limits.ts`). */
export const HTTP_LIMITS = {
	/** characters of a host; names end at 253 (RFC 1035 2.3.4), the rest is the dot and brackets */
	hostCharacters: 255,
	/** bytes of request line and headers (contract 6); lines, though the server library answers 431 to more than 98 */
	requestHeaderBytes: 65_536,
	requestHeaderBytesMin: 1024,
	requestHeaderBytesMax: 1_048_576,
	requestHeaderLines: 100,
	/** bytes of these that are no target's: a longer target is 414, as a header that is too large is 431 */
	besideTargetBytes: 512,
	/**
	 * bytes of pipelined requests that wait behind a pending one before the client is read no more; the front's clock,
	 * milliseconds between two looks; what it allows a client that was told that its connection ends; places it has
	 * beyond the connections that there may be
	 */
	pipelinedBytes: 65_536,
	frontTickMs: 100,
	lingerMs: 2000,
	lingerBytes: 1_048_576,
	/**
	 * bytes of a tunnel's client that the kernel is asked to keep, and keeps twice: the most that one read brings and
	 * that waits for a slow backend; and bytes that are read of its backend at a time and may wait for a slow client
	 */
	tunnelClientBytes: 131_072,
	tunnelBackendBytes: 65_536,
	frontSpareConnections: 64,
	/**
	 * of one guard by which the front refuses: rules, characters of their expressions, instructions, texts and their bytes, and
	 * segments of addresses; bytes of all of them, and of one that policies that refuse alike share; what making one counts
	 * as among those made between two ticks, and what each of its expressions does besides, some 0.1 ms
	 */
	standingRules: 32,
	standingSourceCharacters: 8192,
	standingInstructions: 512,
	standingTexts: 512,
	standingTextBytes: 32_768,
	standingSegments: 262_144,
	standingGuardBytes: 33_554_432,
	standingSharedBytes: 4096,
	standingGuardCost: 8,
	standingTestCost: 64,
	/**
	 * standing refusals of a worker, some 1 KB each; those of one host whose path is a prefix, which are tried one after
	 * the other; bytes of their content; how many may be made between two ticks of the front, 2 µs each, and what it
	 * counts as where another has to go for it, so that floods of hosts that never come again cost little
	 */
	standingRefusals: 16_384,
	standingPrefixes: 32,
	standingContentBytes: 4096,
	standingMadePerTick: 2048,
	standingReplacing: 64,
	/**
	 * connections in all and of one address, as far as they can be bounded (config, `limits`); refused ones that are
	 * told so at a time, each for `lingerMs`; milliseconds between two looks at how many were refused
	 */
	connectionsMax: 10_000_000,
	connectionsPerAddressMax: 65_535,
	refusedConnectionsTold: 64,
	refusedConnectionsCountMs: 250,
	/** bytes and lines of an upstream's response header; interim responses count on their own */
	responseHeaderBytes: 65_536,
	responseHeaderLines: 256,
} as const;
