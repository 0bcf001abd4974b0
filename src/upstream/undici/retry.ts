/**
 * Whether a failed attempt may be made again on another connection (contract 6). Three ways to fail count:
 *
 * - No connection was made. Nothing was sent, so every method may go to an address not yet tried.
 * - A kept-alive connection broke before the first byte of an answer: most likely the server closed it
 *   while the request was on its way. Idempotent requests go once more, on a fresh connection.
 * - A fresh connection broke before the first byte. The address may be dying: idempotent requests go to
 *   another one, but never to the same again, which would hand a request that kills its server around.
 *
 * Anything else is final, a timeout of the answer included: a slow backend gets no second copy of the work.
 * As in nginx (`proxy_next_upstream error timeout` without `non_idempotent`), a POST that was sent is never
 * sent again. To make that case rare, such requests only take a connection that was busy a moment ago
 * (`LIMITS.upstreamReuseMs`), which a server has no reason to close yet.
 */

const IDEMPOTENT: ReadonlySet<string> = new Set([
	"GET",
	"HEAD",
	"PUT",
	"DELETE",
	"OPTIONS",
	"TRACE",
]);

/** RFC 9110 9.2.2 */
export const isIdempotent = (method: string): boolean => IDEMPOTENT.has(method);

export interface FailedAttempt {
	readonly idempotent: boolean;
	/** the request began to be written */
	readonly sent: boolean;
	/** over a connection that had served a request before */
	readonly reused: boolean;
	/** any byte of an answer came, interim answers included */
	readonly responseByte: boolean;
	/** a byte of the request body was taken from the client */
	readonly bodyTouched: boolean;
	/** the answer took too long */
	readonly timedOut: boolean;
	/** attempts made, this one included */
	readonly attempts: number;
	/** addresses of the backend */
	readonly addresses: number;
}

export type RetryDecision = "no" | "other_address" | "fresh_connection";

export const decideRetry = (failed: FailedAttempt): RetryDecision => {
	if (failed.bodyTouched || failed.responseByte) return "no";
	if (failed.attempts > failed.addresses) return "no";
	if (!failed.sent) return "other_address";
	if (!failed.idempotent || failed.timedOut) return "no";
	return failed.reused ? "fresh_connection" : "other_address";
};
