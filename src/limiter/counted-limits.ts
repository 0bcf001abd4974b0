/**
 * What has been counted of rate-limits, by all workers, looked at from outside: for the management API. Made by
 * `process/supervisor/counters-keeper.ts` over the counters that workers share; decides on no request.
 */
import type { CountedLimit, CountedLimits, RateLimitIdentity } from "../policy/admission.ts";
import type { Counters } from "./binding.ts";
import { nameOf } from "./limiters.ts";

export class SharedCounts implements CountedLimits {
	readonly #counters: Counters;
	readonly #keysMax: () => number;

	/** @param keysMax of the limiters, as the workers open them now */
	constructor(counters: Counters, keysMax: () => number) {
		this.#counters = counters;
		this.#keysMax = keysMax;
	}

	look<T>(identity: RateLimitIdentity, at: (limit: CountedLimit) => T): T | undefined {
		const { capacity, windowMs, costMax } = identity;
		const name = nameOf(identity);
		const limiter = this.#counters.find(name, capacity, windowMs, this.#keysMax(), costMax);
		if (limiter === undefined) return undefined;
		try {
			return at(limiter);
		} finally {
			limiter.close();
		}
	}
}
