/**
 * What the policy engine needs of the counters: one port, implemented by limiter/ and by a plain
 * object in tests. A bucket's identity is (edge, route, configuration, order among identical actions),
 * so that its count outlives a re-PUT, a change elsewhere in the module and a restart (contract 5).
 */
export interface RateLimitIdentity {
	readonly edgeId: string;
	readonly routeId: string;
	/** canonical text of the action's configuration; equal text means equal limits */
	readonly configuration: string;
	/** 0 for the first action of this configuration in the module, 1 for the second, … */
	readonly ordinal: number;
	/** admitted requests per window */
	readonly capacity: number;
	/** milliseconds */
	readonly windowMs: number;
}

/** What one element of a key is in one request: a value, the values of a repeated header, or absent. */
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
	/** Says that a policy that used this identity is gone; its counts may be reclaimed once they expired. */
	release(identity: RateLimitIdentity): void;
}
