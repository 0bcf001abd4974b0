/** The heap against a sorted list: first is a smallest one, whatever was added and taken out. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Bucket } from "../../src/limiter/bucket.ts";
import { BucketHeap } from "../../src/limiter/bucket-heap.ts";

it("keeps a smallest bucket first while any are added and any taken out", () => {
	const step = fc.oneof(
		{ weight: 2, arbitrary: fc.record({ add: fc.nat({ max: 100 }) }) },
		{ weight: 1, arbitrary: fc.record({ remove: fc.nat({ max: 1000 }) }) },
	);
	fc.assert(
		fc.property(fc.array(step, { minLength: 50, maxLength: 200 }), (steps) => {
			const heap = new BucketHeap((bucket) => bucket.newest);
			const inside: Bucket[] = [];
			for (const one of steps) {
				if ("add" in one) {
					const bucket = new Bucket("key", one.add);
					heap.add(bucket);
					inside.push(bucket);
				} else {
					const [bucket] = inside.splice(one.remove % Math.max(1, inside.length), 1);
					if (bucket !== undefined) heap.remove(bucket);
				}
				const smallest = Math.min(...inside.map((bucket) => bucket.newest));
				expect(heap.first?.newest ?? Number.POSITIVE_INFINITY).toBe(smallest);
			}
			// What is left comes out in order.
			const left: number[] = [];
			for (let first = heap.first; first !== undefined; first = heap.first) {
				left.push(first.newest);
				heap.remove(first);
			}
			expect(left).toEqual(inside.map((bucket) => bucket.newest).sort((a, b) => a - b));
		}),
		{ numRuns: 300, endOnFailure: true },
	);
});
