/** The list against an array: order of adding, any one may leave. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Bucket } from "../../src/limiter/bucket.ts";
import { BucketList } from "../../src/limiter/bucket-list.ts";

it("keeps the order of adding while any are taken out and put back", () => {
	fc.assert(
		fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 100 }), (touched) => {
			const buckets = Array.from({ length: 10 }, (_, index) => new Bucket(`${index}`, 0));
			const list = new BucketList();
			const model: Bucket[] = [];
			for (const index of touched) {
				const bucket = buckets[index];
				if (bucket === undefined) throw new Error("out of range");
				const wasInside = model.includes(bucket);
				if (wasInside) {
					list.remove(bucket);
					model.splice(model.indexOf(bucket), 1);
				}
				// Those with an odd number only leave; the next touch brings them back.
				if (index % 2 === 1 && wasInside) continue;
				list.add(bucket);
				model.push(bucket);
				expect(list.first).toBe(model[0]);
			}
			expect(list.first).toBe(model[0]);
			for (const expected of model) {
				expect(list.first).toBe(expected);
				list.remove(expected);
			}
			expect(list.first).toBeUndefined();
		}),
	);
});
