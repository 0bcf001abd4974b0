/** Bounds of connections to backends, and of the names of backends. A part of `LIMITS` (`limits.ts`). */
export const UPSTREAM_LIMITS = {
	/** connections per backend address, as far as ports and descriptors go: 10 MB; requests waiting for one of them */
	upstreamConnections: 10_000,
	upstreamQueue: 1024,
	/** the most a backend may set (Linux has 28,000 ports to one address); requests on one connection break together */
	upstreamConnectionsMax: 10_000,
	upstreamPipeliningMax: 64,
	/**
	 * milliseconds to connect, and the most that a route may say; from the request sent to the response's header
	 * (config, `timeouts`)
	 */
	upstreamConnectMs: 5000,
	upstreamConnectMsMax: 3_600_000,
	upstreamResponseMs: 60_000,
	/**
	 * milliseconds between looks at a backend's name, as DNS says within bounds: a TTL of 0 must not keep DNS
	 * busy, one of days not hide a move; the default where it says nothing, as of the hosts file
	 */
	nameRefreshMinMs: 1000,
	nameRefreshMaxMs: 300_000,
	nameRefreshDefaultMs: 30_000,
	/**
	 * milliseconds from a failed look to the next, doubling; that requests wait for the very first; that DNS has
	 * to tell a TTL, first of two tries
	 */
	nameRetryMs: 1000,
	nameRetryMaxMs: 30_000,
	nameFirstLookMs: 5000,
	nameTtlMs: 1000,
	/** looks at once, as many as libuv has threads for; of those, at names that failed: they take 10 s each */
	nameLooks: 2,
	nameLooksFailing: 1,
	/** addresses of one name that are used (DNS over UDP carries 250), and of a backend that are remembered */
	addressesPerName: 256,
	addressesRemembered: 1024,
	/**
	 * milliseconds that an unused connection to an upstream stays open, below the 5 s after which common
	 * servers (Node, Apache, uvicorn) close theirs; a `keep-alive: timeout=` hint is honoured up to the second;
	 * up to the third it may still carry a request that can't be repeated
	 */
	upstreamIdleMs: 4000,
	upstreamIdleHintedMs: 60_000,
	upstreamReuseMs: 1000,
	/** connections to each address of a backend with pipelining, where it doesn't say: each carries several requests */
	pipelinedConnections: 256,
	/** ports that all workers together use to one address of a backend, of the 28,000 that Linux has */
	upstreamPorts: 24_000,
	/**
	 * interim responses (1xx) before one response: `102` may come every few seconds for as long as the response
	 * timeout lets it, `103` a few times; a server that says more is in a loop
	 */
	responseInterims: 100,
	/**
	 * milliseconds that an address is set aside after its first failure; the delay doubles with each further one
	 * up to the second (contract 6)
	 */
	upstreamSetAsideFirstMs: 1000,
	upstreamSetAsideLastMs: 30_000,
	/** milliseconds by which an unused connection is closed earlier than the server's `keep-alive: timeout=` says */
	upstreamIdleMarginMs: 1000,
} as const;
