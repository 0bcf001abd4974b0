/** Asks the counters once for each request. Made by `rate-limit.ts`, one object for each rate-limit of a policy. */
import type { Value } from "../../../cel/values/value.ts";
import type { KeyPart, RateLimiter, RateLimiters, RateLimitIdentity } from "../../admission.ts";
import type { Outcome, Place, PolicyExchange } from "../../exchange.ts";
import { CONTINUE } from "../../outcomes.ts";
import type { ActionContext, RunnableAction } from "../action.ts";
import { isRead, leave } from "../results.ts";
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
 * The text that stands for a limit's configuration in its identity: all fields that change the counting, and the name,
 * by which people tell limits apart. Spelling does not matter (`90s` is `1m30s`), nor does the order of `bucket_key`.
 * `enforce` is left out, so that a limit that was only watched keeps its counts when it is enforced.
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
	/** the key of the request at hand */
	readonly #key: KeyPart[];
	/** opened by the first request: a policy may have 16,000 of them, some 30 µs each */
	#limiter: RateLimiter | undefined;
	#isClosed = false;
	readonly #isRead: boolean;

	constructor(limit: Limit, context: ActionContext) {
		const configuration = configurationOf(limit);
		this.#limit = limit;
		this.#place = context.place;
		this.#limiters = context.limiters;
		this.#isRead = isRead("rate-limit", context);
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
		// A substring keeps the whole string alive: a header's value all headers of its request.
		for (let index = 0; index < this.#key.length; index += 1) this.#key[index] = undefined;
		if (this.#isRead) leave(exchange, "rate-limit", resultsOf(waitMs, limit.windowMs));
		if (waitMs === 0) return CONTINUE;
		exchange.limitExceeded(this.#place, limit.name, waitMs, limit.enforce);
		if (!limit.enforce) return CONTINUE;
		return { kind: "limited", retryAfterSeconds: retryAfterSeconds(waitMs, limit.windowMs) };
	}

	close(): void {
		this.#isClosed = true;
		if (this.#limiter !== undefined) this.#limiters.release(this.#identity);
	}

	/**
	 * The first request may be one that began before the policy was replaced. The policy is closed by then, so the
	 * limiter is released at once.
	 */
	#open(): RateLimiter {
		this.#limiter = this.#limiters.open(this.#identity);
		if (this.#isClosed) this.#limiters.release(this.#identity);
		return this.#limiter;
	}
}

/** The wait in whole seconds, rounded up so that it is long enough; from 1 to the window's length. */
export function retryAfterSeconds(waitMs: number, windowMs: number): number {
	const seconds = Math.ceil(waitMs / MILLISECONDS);
	return Math.min(Math.max(seconds, 1), windowMs / MILLISECONDS);
}

const resultsOf = (waitMs: number, windowMs: number): Readonly<Record<string, Value>> => ({
	limited: waitMs > 0,
	retry_after: waitMs > 0 ? BigInt(retryAfterSeconds(waitMs, windowMs)) : 0n,
});
