/** The heap against a sorted list: first is a smallest one, whatever was added and taken out. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Bucket } from "../../src/limiter/bucket.ts";
import { BucketHeap } from "../../src/limiter/bucket-heap.ts";

it("keeps a smallest bucket first while any are added and any taken out", () => {
	const step = fc.oneof(
		fc.record({ add: fc.nat({ max: 20 }) }),
		fc.record({ remove: fc.nat({ max: 1000 }) }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
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
			while (heap.first !== undefined) {
				expect(inside).toContain(heap.first);
				inside.splice(inside.indexOf(heap.first), 1);
				heap.remove(heap.first);
			}
			expect(inside).toEqual([]);
		}),
	);
});
