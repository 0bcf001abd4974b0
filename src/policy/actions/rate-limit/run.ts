/** A rate-limit at work: one request, one question to the counters. Made by `rate-limit.ts` for each action. */
import type { KeyPart, RateLimiter, RateLimiters, RateLimitIdentity } from "../../admission.ts";
import type { Outcome, Place, PolicyExchange } from "../../exchange.ts";
import { CONTINUE } from "../../outcomes.ts";
import type { ActionContext, RunnableAction } from "../action.ts";
import { canonicalElement, type KeyElement, readKey } from "./bucket-key.ts";
import { formatDuration } from "./duration.ts";

export const ALGORITHM = "sliding_window";
const MILLISECONDS = 1000;

export interface Limit {
	readonly name: string;
	readonly capacity: number;
	readonly windowMs: number;
	/** in canonical order: bucket_key is a set */
	readonly elements: readonly KeyElement[];
	readonly enforce: boolean;
}

/**
 * What a bucket belongs to: all that changes the counting, and the name, which tells limits apart for people.
 * Spelling does not count (`90s` is `1m30s`), nor the order of bucket_key; `enforce` is left out so that
 * a limit that was only watched goes on with its counts when it is enforced.
 */
function configurationOf({ name, capacity, windowMs, elements }: Limit): string {
	const rate = formatDuration(windowMs);
	return JSON.stringify([ALGORITHM, capacity, rate, elements.map(canonicalElement), name]);
}

export class RateLimit implements RunnableAction {
	readonly #limit: Limit;
	readonly #place: Place;
	readonly #identity: RateLimitIdentity;
	readonly #limiters: RateLimiters;
	/** of the request that is being decided on */
	readonly #key: KeyPart[];
	/** opened by the first request: a policy may have 16,000 of them, some 30 µs each */
	#limiter: RateLimiter | undefined;
	#isClosed = false;

	constructor(limit: Limit, context: ActionContext) {
		const configuration = configurationOf(limit);
		this.#limit = limit;
		this.#place = context.place;
		this.#limiters = context.limiters;
		this.#key = limit.elements.map(() => undefined);
		this.#identity = Object.freeze({
			edgeId: context.edgeId,
			routeId: context.routeId,
			configuration,
			ordinal: context.ordinalOf(configuration),
			capacity: limit.capacity,
			windowMs: limit.windowMs,
		});
	}

	run(exchange: PolicyExchange): Outcome {
		const limit = this.#limit;
		const limiter = this.#limiter ?? this.#open();
		readKey(limit.elements, exchange, this.#key);
		const waitMs = limiter.admit(this.#key);
		// Parts of a string keep the whole alive: those of a header its request's.
		for (let index = 0; index < this.#key.length; index += 1) this.#key[index] = undefined;
		if (waitMs === 0) return CONTINUE;
		exchange.limitExceeded(this.#place, limit.name, waitMs, limit.enforce);
		if (!limit.enforce) return CONTINUE;
		return { kind: "limited", retryAfterSeconds: retryAfterSeconds(waitMs, limit.windowMs) };
	}

	close(): void {
		this.#isClosed = true;
		if (this.#limiter !== undefined) this.#limiters.release(this.#identity);
	}

	/** A request that began before the policy was replaced may be the first: it has no one to release it. */
	#open(): RateLimiter {
		this.#limiter = this.#limiters.open(this.#identity);
		if (this.#isClosed) this.#limiters.release(this.#identity);
		return this.#limiter;
	}
}

/** Whole seconds, rounded up so that waiting them is enough; 1 to the window's length. */
export function retryAfterSeconds(waitMs: number, windowMs: number): number {
	const seconds = Math.ceil(waitMs / MILLISECONDS);
	return Math.min(Math.max(seconds, 1), windowMs / MILLISECONDS);
}
