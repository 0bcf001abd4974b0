/**
 * Buckets in the order of their last admission, linked through their own fields: moving one to the end
 * costs a few assignments. `bucket-table.ts` keeps the buckets here that were never limited since.
 */
import type { Bucket } from "./bucket.ts";

export class BucketList {
	#oldest: Bucket | undefined;
	#newest: Bucket | undefined;

	/** the one that admitted longest ago */
	get first(): Bucket | undefined {
		return this.#oldest;
	}

	/** Puts a bucket that is not inside at the end. */
	add(bucket: Bucket): void {
		bucket.older = this.#newest;
		bucket.newer = undefined;
		if (this.#newest === undefined) this.#oldest = bucket;
		else this.#newest.newer = bucket;
		this.#newest = bucket;
	}

	/** Takes out a bucket that is inside. */
	remove(bucket: Bucket): void {
		if (bucket.older === undefined) this.#oldest = bucket.newer;
		else bucket.older.newer = bucket.newer;
		if (bucket.newer === undefined) this.#newest = bucket.older;
		else bucket.newer.older = bucket.older;
		bucket.older = undefined;
		bucket.newer = undefined;
	}
}
