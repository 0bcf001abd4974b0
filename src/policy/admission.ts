/**
 * The port through which rate-limits count requests. `limiter/limiters.ts` implements it over the shared counters,
 * tests implement it with a plain object. A rate-limit is identified by edge, route, configuration and its order among
 * identical actions, so that its counts outlive a re-PUT, a change elsewhere in the policy and a restart (contract 5).
 */
export interface RateLimitIdentity {
	readonly edgeId: string;
	readonly routeId: string;
	/** canonical text of the action's configuration; equal text means equal limits */
	readonly configuration: string;
	/** 0 for the first action of this configuration in the policy, 1 for the second, … */
	readonly ordinal: number;
	/** admitted requests per window */
	readonly capacity: number;
	/** milliseconds */
	readonly windowMs: number;
}

/** One element of a key in one request: its value, the values of a repeated header, or undefined if it is absent. */
export type KeyPart = string | readonly string[] | undefined;

/** The counter behind one rate-limit action, all its buckets. Hot: called once per request. */
export interface RateLimiter {
	/**
	 * Counts one request if there is room.
	 * @param parts the key, at most `LIMITS.bucketKeyElements`; keys are the same if all their parts are
	 * @returns 0 if admitted, else the milliseconds (1…windowMs) after which there is room again
	 */
	admit(parts: readonly KeyPart[]): number;
}

export interface RateLimiters {
	/** The limiter of this identity; the same counts every time it is opened with an equal one. */
	open(identity: RateLimitIdentity): RateLimiter;
	/** Called when a policy that opened this identity is gone; the counts may be reclaimed once they have expired. */
	release(identity: RateLimitIdentity): void;
}
