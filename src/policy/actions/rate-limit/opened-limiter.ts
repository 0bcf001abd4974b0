/**
 * The limiter behind one rate-limit of an open policy, opened by the first request: a policy may have 16,000 of them,
 * some 30 µs each. Used by `run.ts` and `weighed-run.ts`.
 */
import { ownCopy } from "../../../own-copy.ts";
import type { LimitTap, RateLimiter, RateLimiters, RateLimitIdentity } from "../../admission.ts";
import type { ActionContext } from "../action.ts";
import { configurationOf, costMaxOf, type Limit } from "./limit.ts";

export function identityOf(
	limit: Limit,
	{ edgeId, routeId, ordinalOf }: Pick<ActionContext, "edgeId" | "routeId" | "ordinalOf">,
): RateLimitIdentity {
	const configuration = ownCopy(configurationOf(limit));
	const costMax = costMaxOf(limit);
	return {
		edgeId,
		routeId,
		configuration,
		ordinal: ordinalOf(configuration),
		capacity: limit.capacity,
		windowMs: limit.windowMs,
		...(costMax === 1 ? {} : { costMax }),
	};
}

export class OpenedLimiter {
	readonly #identity: RateLimitIdentity;
	readonly #limiters: RateLimiters;
	#limiter: RateLimiter | undefined;
	#isClosed = false;

	constructor(limit: Limit, context: ActionContext) {
		this.#identity = identityOf(limit, context);
		this.#limiters = context.limiters;
	}

	/** Hot. @param tap of the request, if somebody wants to know what is decided of it */
	get(tap?: LimitTap): RateLimiter {
		const limiter = this.#limiter ?? this.#open();
		return tap === undefined ? limiter : tap.over(limiter, this.#identity);
	}

	/** Undefined before the first request, and once it is closed. */
	get handle(): number | undefined {
		return this.#isClosed ? undefined : this.#limiter?.handle;
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
