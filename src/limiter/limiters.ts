/**
 * The rate limiters of one process, behind the policy engine's port (`policy/admission.ts`). Made by
 * process/worker.ts. Until the counters are shared memory, every worker counts for itself.
 *
 * Keys are chosen by strangers: a bucket is found by a keyed hash of 16 bytes, so that a long key costs
 * no memory and two keys cannot be made to meet. The seed is random and lives as long as the process.
 */
import { randomBytes } from "node:crypto";
import { LIMITS } from "../limits.ts";
import type { RateLimiter, RateLimiters, RateLimitIdentity } from "../policy/admission.ts";
import { bootClockMs, createKeyHash, SEED_BYTES } from "./binding.ts";
import { BucketTable, type TableEvents } from "./bucket-table.ts";

export interface RateLimiterStatistics extends Readonly<TableEvents> {
	/** rate-limits that are open, or released with admissions that still count */
	readonly limiters: number;
	/** buckets kept over all of them */
	readonly live: number;
}

export interface RateLimiterOptions {
	/** buckets per rate-limit, ≥ 1 (contract 1, `counters.keys_max`) */
	readonly keysMax?: number;
	/** milliseconds, never set back; the boot clock unless a test brings its own */
	readonly clock?: () => number;
}

interface Entry {
	readonly limiter: RateLimiter;
	readonly table: BucketTable;
	readonly windowMs: number;
	/** policies that use it: the one in force, and while it is being replaced its successor */
	users: number;
	releasedAtMs: number;
}

/** Injective, so that no edge's name can reach another one's counts. */
const nameOf = (identity: RateLimitIdentity): string =>
	JSON.stringify([
		identity.edgeId,
		identity.routeId,
		identity.configuration,
		identity.ordinal,
		identity.capacity,
		identity.windowMs,
	]);

class HashedLimiters implements RateLimiters {
	readonly #keysMax: number;
	readonly #clock: () => number;
	readonly #hash = createKeyHash(randomBytes(SEED_BYTES));
	readonly #events: TableEvents = { evicted: 0, full: 0 };
	readonly #entries = new Map<string, Entry>();
	readonly #released = new Set<string>();

	constructor(keysMax: number, clock: () => number) {
		this.#keysMax = keysMax;
		this.#clock = clock;
	}

	open(identity: RateLimitIdentity): RateLimiter {
		this.#reclaim();
		const name = nameOf(identity);
		let entry = this.#entries.get(name);
		if (entry === undefined) {
			entry = this.#create(identity);
			this.#entries.set(name, entry);
		}
		entry.users += 1;
		this.#released.delete(name);
		return entry.limiter;
	}

	release(identity: RateLimitIdentity): void {
		const name = nameOf(identity);
		const entry = this.#entries.get(name);
		if (entry !== undefined && entry.users > 0) {
			entry.users -= 1;
			if (entry.users === 0) {
				entry.releasedAtMs = this.#clock();
				this.#released.add(name);
			}
		}
		this.#reclaim();
	}

	statistics(): RateLimiterStatistics {
		let live = 0;
		for (const entry of this.#entries.values()) live += entry.table.size;
		return { limiters: this.#entries.size, live, ...this.#events };
	}

	#create({ capacity, windowMs }: RateLimitIdentity): Entry {
		const table = new BucketTable(capacity, windowMs, this.#keysMax, this.#events);
		const hash = this.#hash;
		const clock = this.#clock;
		const limiter = { admit: (key: string) => table.admit(hash(key), clock()) };
		return { limiter, table, windowMs, users: 0, releasedAtMs: 0 };
	}

	/**
	 * Drops what nobody uses and nothing counts in. A request that began under the old policy may still
	 * be admitted after the release, so a whole window without use has to pass as well.
	 */
	#reclaim(): void {
		const now = this.#clock();
		for (const name of this.#released) {
			const entry = this.#entries.get(name);
			if (entry === undefined) continue;
			if (!entry.table.isExpired(now) || now - entry.releasedAtMs < entry.windowMs) continue;
			this.#entries.delete(name);
			this.#released.delete(name);
		}
	}
}

/** Limiters that share nothing with another call's. Throws `RangeError` for an impossible `keysMax`. */
export function createRateLimiters({
	keysMax = LIMITS.keysPerRateLimit,
	clock = bootClockMs,
}: RateLimiterOptions = {}): RateLimiters & { statistics(): RateLimiterStatistics } {
	const max = LIMITS.keysPerRateLimitMax;
	if (!Number.isInteger(keysMax) || keysMax < 1 || keysMax > max) {
		throw new RangeError(`keysMax must be a whole number from 1 to ${max}, not ${keysMax}`);
	}
	return new HashedLimiters(keysMax, clock);
}
