/**
 * Whether a failed attempt may be made again on another connection (contract 6). The upstream client decides
 * (native/src/upstream/retry.h, which gives the reasons); this file puts the facts of undici's attempts into its
 * words. Used by `call.ts`.
 */
import { addon } from "../../native-addon.ts";

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

const DECISIONS = ["no", "other_address", "fresh_connection"] as const;

export type RetryDecision = (typeof DECISIONS)[number];

export const decideRetry = (failed: FailedAttempt): RetryDecision => {
	const facts =
		(failed.idempotent ? 1 : 0) |
		(failed.sent ? 2 : 0) |
		(failed.reused ? 4 : 0) |
		(failed.responseByte ? 8 : 0) |
		(failed.bodyTouched ? 16 : 0) |
		(failed.timedOut ? 32 : 0);
	return DECISIONS[addon.decideRetry(facts, failed.attempts, failed.addresses)] ?? "no";
};
