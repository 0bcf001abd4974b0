/**
 * The rate limiters of one process, behind the policy engine's interface (`policy/admission.ts`): keeps count of the
 * policies that use each limiter. Made by process/worker/worker.ts.
 */
import { LIMITS } from "../limits/limits.ts";
import type { RateLimiter, RateLimiters, RateLimitIdentity } from "../policy/admission.ts";
import { Counters, type NativeLimiter } from "./binding.ts";

export interface RateLimiterOptions {
	readonly counters: Counters;
	/** buckets per rate-limit, ≥ 1 (contract 1, `counters.keys_max`) */
	readonly keysMax?: number;
	/** called once if a limiter finds no room in the counters and counts in memory of its own */
	readonly onNoRoom?: () => void;
}

interface Entry {
	readonly limiter: NativeLimiter;
	/** policies that use it: the one in force, and while it is being replaced its successor */
	users: number;
	/** times that `touch` came by since the last user left */
	unusedFor: number;
}

/** The text of an identity in the counters. Injective, so that no edge's name can reach another one's counts. */
export const nameOf = (identity: RateLimitIdentity): string =>
	JSON.stringify([
		identity.edgeId,
		identity.routeId,
		identity.configuration,
		identity.ordinal,
		identity.capacity,
		identity.windowMs,
	]);

export class NativeLimiters implements RateLimiters {
	readonly #counters: Counters;
	readonly #keysMax: number;
	readonly #onNoRoom: () => void;
	readonly #entries = new Map<string, Entry>();
	/** names of those without users */
	readonly #unused = new Set<string>();
	#overflow: Counters | undefined;

	/** @throws RangeError for an impossible `keysMax` */
	constructor({
		counters,
		keysMax = LIMITS.keysPerRateLimit,
		onNoRoom = () => {},
	}: RateLimiterOptions) {
		const max = LIMITS.keysPerRateLimitMax;
		if (!Number.isInteger(keysMax) || keysMax < 1 || keysMax > max) {
			throw new RangeError(`keysMax must be a whole number from 1 to ${max}, not ${keysMax}`);
		}
		this.#counters = counters;
		this.#keysMax = keysMax;
		this.#onNoRoom = onNoRoom;
	}

	open(identity: RateLimitIdentity): RateLimiter {
		const name = nameOf(identity);
		let entry = this.#entries.get(name);
		if (entry === undefined) {
			const limiter =
				this.#openIn(this.#counters, name, identity) ??
				this.#openIn(this.#elsewhere(), name, identity);
			if (limiter === undefined) throw new Error("no memory for another rate-limit");
			entry = { limiter, users: 0, unusedFor: 0 };
			this.#entries.set(name, entry);
		}
		entry.users += 1;
		this.#unused.delete(name);
		return entry.limiter;
	}

	release(identity: RateLimitIdentity): void {
		const name = nameOf(identity);
		const entry = this.#entries.get(name);
		if (entry === undefined || entry.users === 0) return;
		entry.users -= 1;
		if (entry.users > 0) return;
		entry.unusedFor = 0;
		this.#unused.add(name);
	}

	/**
	 * Says that what is open is in use; to be called for every part within `LIMITS.limiterTouchMs`. What had
	 * no user for two rounds is closed: a request that began under the old policy has ended by then. Its
	 * counts stay where they are until they expire.
	 */
	touch(part = 0, parts = 1): void {
		if (part === 0) this.#closeUnused();
		this.#counters.touch(part, parts);
		this.#overflow?.touch(part, parts);
		this.#overflow?.collect(LIMITS.countersCellsPerSlice);
	}

	/** Tells all processes how many requests were admitted and rejected here. Every `LIMITS.limiterReportMs`, and at the end. */
	report(): void {
		this.#counters.report();
	}

	/** limiters that are open here */
	get size(): number {
		return this.#entries.size;
	}

	#closeUnused(): void {
		for (const name of this.#unused) {
			const entry = this.#entries.get(name);
			if (entry === undefined) continue;
			entry.unusedFor += 1;
			if (entry.unusedFor < 3) continue;
			entry.limiter.close();
			this.#entries.delete(name);
			this.#unused.delete(name);
		}
	}

	#openIn(
		counters: Counters,
		name: string,
		{ capacity, windowMs, costMax }: RateLimitIdentity,
	): NativeLimiter | undefined {
		return counters.open(name, capacity, windowMs, this.#keysMax, costMax);
	}

	/** Full, or its disk is: better to count in this process than not at all. */
	#elsewhere(): Counters {
		if (this.#overflow === undefined) {
			this.#overflow = new Counters({});
			this.#onNoRoom();
		}
		return this.#overflow;
	}
}
