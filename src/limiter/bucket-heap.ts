/**
 * A binary min-heap of buckets that knows where each one sits, so that any of them can be taken out.
 * `bucket-table.ts` keeps two: limited buckets by when they have room again, released ones by when they
 * last admitted. A bucket is in at most one heap at a time.
 */
import type { Bucket } from "./bucket.ts";

export class BucketHeap {
	readonly #buckets: Bucket[] = [];
	/** what the heap is ordered by; must not change while a bucket is inside */
	readonly #order: (bucket: Bucket) => number;

	constructor(order: (bucket: Bucket) => number) {
		this.#order = order;
	}

	get first(): Bucket | undefined {
		return this.#buckets[0];
	}

	add(bucket: Bucket): void {
		this.#buckets.push(bucket);
		this.#rise(bucket, this.#buckets.length - 1);
	}

	/** Takes out a bucket that is inside. */
	remove(bucket: Bucket): void {
		const index = bucket.heapIndex;
		const last = this.#buckets.pop();
		bucket.heapIndex = -1;
		if (last === undefined || last === bucket) return;
		// The last one takes the free place, then moves to where it belongs.
		this.#rise(last, index);
		this.#sink(last, last.heapIndex);
	}

	#place(bucket: Bucket, index: number): void {
		this.#buckets[index] = bucket;
		bucket.heapIndex = index;
	}

	#rise(bucket: Bucket, start: number): void {
		const order = this.#order(bucket);
		let index = start;
		while (index > 0) {
			const above = (index - 1) >> 1;
			const parent = this.#buckets[above];
			if (parent === undefined || this.#order(parent) <= order) break;
			this.#place(parent, index);
			index = above;
		}
		this.#place(bucket, index);
	}

	#sink(bucket: Bucket, start: number): void {
		const order = this.#order(bucket);
		let index = start;
		for (;;) {
			const left = this.#buckets[2 * index + 1];
			const right = this.#buckets[2 * index + 2];
			if (left === undefined) break;
			const useRight = right !== undefined && this.#order(right) < this.#order(left);
			const child = useRight ? right : left;
			if (this.#order(child) >= order) break;
			this.#place(child, index);
			index = 2 * index + (useRight ? 2 : 1);
		}
		this.#place(bucket, index);
	}
}
