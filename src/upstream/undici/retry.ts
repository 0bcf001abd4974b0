/**
 * Whether a failed attempt may be made again on another connection (contract 6). The native client's rule
 * decides (native/src/upstream/retry.h, which gives the reasons); this file hands it the facts of an attempt over
 * undici. Used by `call.ts`.
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

const FACTS = addon.retryFacts;
/** by number, as the addon returns it */
const DECISIONS = ["no", "other_address", "fresh_connection"] as const;

export type RetryDecision = (typeof DECISIONS)[number];

export const decideRetry = (failed: FailedAttempt): RetryDecision => {
	const facts =
		(failed.idempotent ? FACTS.idempotent : 0) |
		(failed.sent ? FACTS.sent : 0) |
		(failed.reused ? FACTS.reused : 0) |
		(failed.responseByte ? FACTS.responseByte : 0) |
		(failed.bodyTouched ? FACTS.bodyTouched : 0) |
		(failed.timedOut ? FACTS.timedOut : 0);
	return DECISIONS[addon.decideRetry(facts, failed.attempts, failed.addresses)] ?? "no";
};
