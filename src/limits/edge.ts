/** Bounds of the data path: opening policies, and request bodies. A part of `LIMITS` (`limits.ts`). */
export const EDGE_LIMITS = {
	/** milliseconds for a request's header (config, `timeouts.request_header_ms`); without the front the server library's, whatever the config says */
	requestHeaderMs: 10_000,
	/** milliseconds without a byte of a body, in either direction (config, `timeouts.idle_ms`) */
	clientIdleMs: 60_000,
	/**
	 * milliseconds that a worker which leaves waits for the first request of a client that has connected already; some
	 * round trips across the world, for TLS
	 */
	drainFreshMs: 2000,
	/** milliseconds without a byte in a tunnel (config, `timeouts.tunnel_idle_ms`) */
	tunnelIdleMs: 3_600_000,
	/** bytes of a tunnel's client that wait for a backend with TLS, beyond which no more are read of it */
	tunnelStreamBytes: 65_536,
	/** tunnels of one route and worker, as many as a backend may say: more than there are descriptors for */
	tunnelsMax: 1_000_000,
	/**
	 * milliseconds in which tunnels say goodbye when a worker leaves, and in which a backend takes what a client sent
	 * before its end; some round trips
	 */
	tunnelGoodbyeMs: 2000,
	/** milliseconds for a worker's handshake with itself, by which it learns where the keys of tickets are */
	ticketHandshakeMs: 5000,
	/**
	 * milliseconds of one turn of the event loop that go into compiling a policy, and its last step on top: a
	 * policy of three rules takes 1 ms within the request that asks for it first, one that takes longer goes on
	 * between requests while those that want it wait
	 */
	policySliceMs: 4,
	/** expressions and actions of a phase beyond which a policy is compiled when it is announced, asked for or not */
	policyPartsWithinRequest: 32,
	/**
	 * bytes of a request's body with which it begins upstream before its end is there; milliseconds after which
	 * it begins with less, if less than that share of the backend's places is taken
	 */
	uploadStartBytes: 65_536,
	uploadStartMs: 100,
	uploadStartOccupancy: 0.5,
	/** milliseconds that a backend has for its 100; how often in a row it may fail to say it; for how long it isn't asked then */
	expectationMs: 300,
	expectationFailures: 3,
	expectationRestMs: 60_000,
	/** request-body bytes read from a client before the upstream begins; taken by it and not yet by its socket */
	requestBodyBufferBytes: 262_144,
	upstreamBodyBufferBytes: 65_536,
	/**
	 * bytes of request bodies, and as many of responses that clients don't read, that a worker holds
	 * (`edge/slow/body-memory.ts`); about one read of a client's socket (`http/front-connection.ts`)
	 */
	bodyMemoryBytes: 67_108_864,
	bodyMemoryBytesMin: 1_048_576,
	bodyReadBytes: 409_600,
	/** bytes of a request's body that the front hands over at a time: they stay in the processor's cache */
	bodyPieceBytes: 65_536,
	/** times that a request may have passed a weir before; one more, and a backend leads back to weir */
	hops: 10,
	/** share of a worker's time that candidates may take (contract 2, "Candidates"); milliseconds that they may save up */
	candidateTimeShare: 0.1,
	candidateTimeMs: 100,
	/** candidates that a worker tells of each second; of each, kinds of comparisons and samples of each result */
	candidatesTold: 200,
	candidatePairs: 100,
	candidateSamples: 20,
	/** addresses lately looked up in the geo database whose places are kept, twice as many at most */
	geoAddresses: 4096,
	/** milliseconds for which the sum of what all backends hold is believed */
	bodyMemoryStaleMs: 2,
} as const;
