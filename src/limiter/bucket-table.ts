/**
 * The buckets of one rate-limit: at most `keysMax` of them, whatever keys arrive. Made by `limiters.ts`.
 *
 * When a new key finds the table full, an expired bucket makes room; else the one that admitted longest
 * ago among those not limited now is forgotten; else, all being limited, the newcomer is rejected until
 * the first of them has room. A bucket over its limit is never forgotten: a flood of keys frees nobody.
 *
 * Every bucket stands in one of three orders. `listed`: by last admission, moved to the end with each
 * one, O(1). `limited`: full when it last admitted, by the time its room comes back, which is fixed
 * since it admits nothing meanwhile. `released`: found to have room again while a place was sought, by
 * last admission. Heaps are touched only where a limit is reached or left: O(log keysMax) there.
 */
import { Bucket } from "./bucket.ts";
import { BucketHeap } from "./bucket-heap.ts";
import { BucketList } from "./bucket-list.ts";

/** What happened in all tables of a process since it started. */
export interface TableEvents {
	/** buckets forgotten before they expired */
	evicted: number;
	/** newcomers rejected because every bucket was limited */
	full: number;
}

export class BucketTable {
	readonly #capacity: number;
	readonly #windowMs: number;
	readonly #keysMax: number;
	readonly #events: TableEvents;
	readonly #buckets = new Map<string, Bucket>();
	readonly #listed = new BucketList();
	readonly #limited = new BucketHeap((bucket) => bucket.oldest);
	readonly #released = new BucketHeap((bucket) => bucket.newest);
	#latest = Number.NEGATIVE_INFINITY;
	#lastAdmission = Number.NEGATIVE_INFINITY;

	/** @param capacity admitted per window @param windowMs milliseconds @param keysMax buckets */
	constructor(capacity: number, windowMs: number, keysMax: number, events: TableEvents) {
		this.#capacity = capacity;
		this.#windowMs = windowMs;
		this.#keysMax = keysMax;
		this.#events = events;
	}

	/** buckets kept, expired ones that nobody had to replace yet included */
	get size(): number {
		return this.#buckets.size;
	}

	/** Whether a bucket of this key is kept; for tests. */
	has(key: string): boolean {
		return this.#buckets.has(key);
	}

	/** True if no admission of any key counts any more. */
	isExpired(nowMs: number): boolean {
		return nowMs - this.#lastAdmission >= this.#windowMs;
	}

	/**
	 * Counts one request for a key. Hot.
	 * @param nowMs boot clock; a reading before an earlier one counts as the earlier one
	 * @returns 0 if admitted, else the milliseconds (1…windowMs) until there is room
	 */
	admit(key: string, nowMs: number): number {
		if (nowMs > this.#latest) this.#latest = nowMs;
		const now = this.#latest;
		const bucket = this.#buckets.get(key);
		if (bucket === undefined) return this.#admitNew(key, now);
		if (bucket.total >= this.#capacity) {
			const waitMs = bucket.oldest + this.#windowMs - now;
			if (waitMs > 0) return waitMs;
		}
		this.#withdraw(bucket);
		bucket.expire(now, this.#windowMs);
		bucket.count(now, this.#capacity);
		this.#enter(bucket);
		return 0;
	}

	#admitNew(key: string, now: number): number {
		if (this.#buckets.size >= this.#keysMax && !this.#makeRoom(now)) {
			this.#events.full += 1;
			const soonest = this.#limited.first?.oldest ?? now;
			return soonest + this.#windowMs - now;
		}
		const bucket = new Bucket(key, now);
		this.#buckets.set(key, bucket);
		this.#enter(bucket);
		return 0;
	}

	/** Files a bucket that admitted just now. */
	#enter(bucket: Bucket): void {
		this.#lastAdmission = this.#latest;
		if (bucket.total >= this.#capacity) {
			bucket.standing = "limited";
			this.#limited.add(bucket);
		} else {
			bucket.standing = "listed";
			this.#listed.add(bucket);
		}
	}

	#withdraw(bucket: Bucket): void {
		if (bucket.standing === "listed") this.#listed.remove(bucket);
		else if (bucket.standing === "limited") this.#limited.remove(bucket);
		else this.#released.remove(bucket);
	}

	#forget(bucket: Bucket): void {
		this.#withdraw(bucket);
		this.#buckets.delete(bucket.key);
	}

	/** Forgets one bucket that may be forgotten; false if there is none. */
	#makeRoom(now: number): boolean {
		const expired = this.#findExpired(now);
		if (expired !== undefined) {
			this.#forget(expired);
			return true;
		}
		const listed = this.#listed.first;
		const released = this.#released.first;
		const victim =
			listed !== undefined && (released === undefined || listed.newest <= released.newest)
				? listed
				: released;
		if (victim === undefined) return false;
		this.#forget(victim);
		this.#events.evicted += 1;
		return true;
	}

	/** An expired bucket, if there is one; on the way, limited ones that have room again are released. */
	#findExpired(now: number): Bucket | undefined {
		if (this.#isBucketExpired(this.#listed.first, now)) return this.#listed.first;
		if (this.#isBucketExpired(this.#released.first, now)) return this.#released.first;
		for (;;) {
			const limited = this.#limited.first;
			if (limited === undefined || now - limited.oldest < this.#windowMs) return undefined;
			if (this.#isBucketExpired(limited, now)) return limited;
			this.#limited.remove(limited);
			limited.standing = "released";
			this.#released.add(limited);
		}
	}

	#isBucketExpired(bucket: Bucket | undefined, now: number): boolean {
		return bucket !== undefined && now - bucket.newest >= this.#windowMs;
	}
}
