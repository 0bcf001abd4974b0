/** Bounds of the counters that all workers share. A part of `LIMITS` (`limits.ts`). */
export const LIMITER_LIMITS = {
	/** keys one rate-limit keeps count of (contract 1, `counters.keys_max`) */
	keysPerRateLimit: 65_536,
	/** the least and the most an operator may set it to: 640 MB at 64 bytes a key, 5.1 GB at 512 */
	keysPerRateLimitMin: 16,
	keysPerRateLimitMax: 10_000_000,
	/** bytes that the counters file may grow to; address space is reserved for all of it */
	countersBytes: 17_179_869_184,
	/** milliseconds after which a worker says again which rate-limits are in use; far below the collector's grace */
	limiterTouchMs: 30_000,
	/** milliseconds after which a worker adds what it has admitted and rejected to what all have */
	limiterReportMs: 1000,
	/** milliseconds between rounds of the collector, and cells (64 to 512 bytes) it looks at in one go */
	countersCollectMs: 10_000,
	countersCellsPerSlice: 20_000,
} as const;
