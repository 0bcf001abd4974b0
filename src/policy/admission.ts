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
	/** the most admissions that one request may be worth; left out: 1 */
	readonly costMax?: number;
}

/** A rate-limit of a policy that is open on a route; from the last one they lead to the first. */
export interface OpenedLimit {
	readonly configuration: string;
	readonly before: OpenedLimit | undefined;
	/** as in `RateLimitIdentity`; -1: nobody has asked for any yet */
	ordinal: number;
}

/** Those of one policy. */
export interface OpenedLimits {
	last: OpenedLimit | undefined;
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
	/**
	 * As `admit`, for several admissions at once, all or none; `room` then says what there is left.
	 * @param purpose `charge`: counts if there is room; `ask`: counts nothing; `force`: counts what has happened, room or
	 *   not; `look`: as `ask`, of no request; `try`: what `charge` would say, of no request
	 * @param cost from 1 to the identity's `costMax`
	 */
	decide(purpose: Purpose, cost: number, parts: readonly KeyPart[]): number;
	/** of the last `decide` of any limiter */
	readonly room: Room;
	/** by which the addon knows it, until it is closed; undefined: it is none of the addon's */
	readonly handle?: number | undefined;
}

export type Purpose = "charge" | "ask" | "force" | "look" | "try";

/** What there is room for after a decision, by that very decision. */
export interface Room {
	/** further admissions, if nobody else takes them; never too many */
	readonly remaining: number;
	/** milliseconds until there are more; 0 if none is used */
	readonly freesMs: number;
}

/** What all processes have counted of a limit. */
export interface LimiterTotals {
	/** keys that are kept */
	readonly live: number;
	/** requests, since somebody first asked for it */
	readonly admitted: number;
	readonly rejected: number;
}

/** One limit's counts, looked at from outside. */
export interface CountedLimit extends Pick<RateLimiter, "decide" | "room"> {
	totals(): LimiterTotals;
	/** Forgets what a key has used. @returns false if there was nothing */
	forget(parts: readonly KeyPart[]): boolean;
}

/** The counts of all limits, for the management API. `limiter/counted-limits.ts` implements it. */
export interface CountedLimits {
	/** @returns what `at` says; undefined if no request has come to this limit yet */
	look<T>(identity: RateLimitIdentity, at: (limit: CountedLimit) => T): T | undefined;
}

/** Notes what limits decide of one request. `trace/noted-limits.ts` implements it. */
export interface LimitTap {
	/** @returns the same limiter, whose decisions are noted */
	over(limiter: RateLimiter, identity: RateLimitIdentity): RateLimiter;
}

export interface RateLimiters {
	/** The limiter of this identity; the same counts every time it is opened with an equal one. */
	open(identity: RateLimitIdentity): RateLimiter;
	/** Called when a policy that opened this identity is gone; the counts may be reclaimed once they have expired. */
	release(identity: RateLimitIdentity): void;
}
