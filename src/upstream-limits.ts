/**
 * Bounds of the way to backends that both clients keep, the native one and that for TLS: a part of `LIMITS`
 * (`limits.ts`). The native client has no numbers of its own for them (`upstream/native/client.ts` gives them).
 */
export const UPSTREAM_LIMITS = {
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
