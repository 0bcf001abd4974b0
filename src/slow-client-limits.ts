/**
 * Bounds about slow clients, the places they hold and the memory of bodies: a part of `LIMITS` (`limits.ts`), in a
 * file of its own.
 */
export const SLOW_CLIENT_LIMITS = {
	/** connections to each address of a backend with pipelining, where it doesn't say: each carries several requests */
	pipelinedConnections: 256,
	/** ports that all workers together use to one address of a backend, of the 28,000 that Linux has */
	upstreamPorts: 24_000,
	/**
	 * bytes of a request's body with which it begins upstream before its end is there; milliseconds after which
	 * it begins with less, if less than that share of the backend's places is taken
	 */
	uploadStartBytes: 65_536,
	uploadStartMs: 100,
	uploadStartOccupancy: 0.5,
	/** request-body bytes read from a client before the upstream begins; taken by it and not yet by its socket */
	requestBodyBufferBytes: 262_144,
	upstreamBodyBufferBytes: 65_536,
	/**
	 * bytes of request bodies, and as many of responses that clients don't read, that a worker holds
	 * (`edge/slow/body-memory.ts`); about one read of a client's socket (`edge/request-view.ts`)
	 */
	bodyMemoryBytes: 67_108_864,
	bodyReadBytes: 409_600,
	/** milliseconds for which the sum of what all backends hold is believed */
	bodyMemoryStaleMs: 2,
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
