/** Bounds about clients that are waited for and take their time, and the places they hold. A part of `LIMITS` (`limits.ts`). */
export const SLOW_CLIENTS_LIMITS = {
	/**
	 * the least rate of a client, bytes per second; milliseconds that it may be behind; clients of one address that may be
	 * behind at the same time (config, `slow_clients`)
	 */
	slowBytesPerSecond: 500,
	slowGraceMs: 60_000,
	slowPerAddress: 256,
	/** milliseconds between looks at the clients that are waited for; every fourth looks at all of them */
	slowLookMs: 250,
	/**
	 * bytes per second, as the server library has it: a client below it may have to make room for those who wait
	 * for its place, once it is so many milliseconds behind; fewer, down to the second, the more wait
	 */
	slowPlaceBytesPerSecond: 16_384,
	slowPlaceMs: 1000,
	slowPlaceMinMs: 250,
	/** milliseconds behind the least rate from which a client is slow, where those of an address are counted */
	slowAddressMs: 2000,
	/** milliseconds between log lines about slow clients, for each reason */
	slowLogMs: 1000,
	/** milliseconds for which a socket is paused before somebody looks whether its client is still there */
	lookBehindMs: 1000,
} as const;
