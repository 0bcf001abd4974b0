/**
 * The bounded log where it has to join entries: never more than the capacity in a window, never
 * rejecting below capacity − B + 1, never more entries than its limit, and still exact about waiting.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Bucket } from "../../src/limiter/bucket.ts";
import { BucketTable } from "../../src/limiter/bucket-table.ts";
import { SlidingLog } from "../../src/limiter/reference.ts";
import { LIMITS } from "../../src/limits.ts";
import { gaps, times } from "./admission-suite.ts";

// Properties over such histories end at the first failure: shrinking thousands of steps takes minutes.
const busy = fc.integer({ min: LIMITS.bucketEntries + 1, max: 700 }).chain((capacity) =>
	fc.record({
		capacity: fc.constant(capacity),
		windowMs: fc.integer({ min: capacity, max: 4 * capacity }),
		gaps: fc.array(
			fc.oneof(
				{ weight: 60, arbitrary: fc.integer({ min: 0, max: 2 }) },
				{ weight: 20, arbitrary: fc.integer({ min: 0, max: 12 }) },
				{ weight: 1, arbitrary: gaps(200) },
			),
			{ minLength: 1500, maxLength: 2500 },
		),
	}),
);

it("a bucket with a large capacity is never over and at most B − 1 under", () => {
	let rejections = 0;
	let early = 0;
	fc.assert(
		fc.property(busy, ({ capacity, windowMs, gaps: list }) => {
			const table = new BucketTable(capacity, windowMs, 1, { evicted: 0, full: 0 });
			const block = Math.ceil(capacity / LIMITS.bucketBlocks);
			// Of all admissions those that still count, so that long histories stay quick.
			let admitted: number[] = [];
			for (const now of times(list)) {
				const wait = table.admit("key", now);
				admitted = admitted.filter((stamp) => now - stamp < windowMs);
				const counting = admitted.length;
				if (wait === 0) {
					expect(counting).toBeLessThan(capacity);
					admitted.push(now);
				} else {
					rejections += 1;
					if (counting < capacity) early += 1;
					expect(counting).toBeGreaterThanOrEqual(capacity - block + 1);
					expect(wait).toBeLessThanOrEqual(windowMs);
					expect(table.admit("key", now)).toBe(wait);
				}
			}
		}),
		{ numRuns: 30, endOnFailure: true },
	);
	// The histories reach what they are about: full buckets, and joined entries that reject early.
	expect(rejections).toBeGreaterThan(500);
	expect(early).toBeGreaterThan(0);
});

it("a joined bucket admits after the wait that it named and not a millisecond before", () => {
	fc.assert(
		fc.property(busy, ({ capacity, windowMs, gaps: list }) => {
			const table = new BucketTable(capacity, windowMs, 1, { evicted: 0, full: 0 });
			const moments = times(list);
			let now = 0;
			for (now of moments) table.admit("key", now);
			let wait = 0;
			while (wait === 0) wait = table.admit("key", now);
			if (wait > 1) expect(table.admit("key", now + wait - 1)).toBe(1);
			expect(table.admit("key", now + wait)).toBe(0);
		}),
		{ numRuns: 30, endOnFailure: true },
	);
});

it("a capacity within the entries is exact whatever the traffic", () => {
	const capacity = LIMITS.bucketEntries;
	fc.assert(
		fc.property(fc.array(gaps(300), { minLength: 600, maxLength: 900 }), (list) => {
			const table = new BucketTable(capacity, 300, 1, { evicted: 0, full: 0 });
			const oracle = new SlidingLog(capacity, 300);
			for (const now of times(list)) expect(table.admit("key", now)).toBe(oracle.admit(now));
		}),
		{ numRuns: 30, endOnFailure: true },
	);
});

it("never keeps more entries than its limit, and counts every admission", () => {
	const capacity = 2_000_000_000;
	const bucket = new Bucket("key", 0);
	let most = 0;
	for (let now = 1; now < 20_000; now++) {
		bucket.count(now, capacity);
		most = Math.max(most, bucket.entries);
	}
	expect(most).toBe(LIMITS.bucketEntries);
	expect(bucket.total).toBe(20_000);
});

it("joining leaves at most one entry per block, many in one millisecond included", () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 129, maxLength: 400 }),
			(perMillisecond) => {
				const capacity = perMillisecond.reduce((sum, count) => sum + count, 0);
				const bucket = new Bucket("key", 0);
				let before = 1;
				let total = 1;
				perMillisecond.forEach((count, now) => {
					for (let i = now === 0 ? 1 : 0; i < count; i++) {
						bucket.count(now, capacity);
						total += 1;
						// A fall in entries is a joining; the admission that caused it is one more.
						if (bucket.entries < before) {
							expect(bucket.entries).toBeLessThanOrEqual(LIMITS.bucketBlocks + 1);
						}
						before = bucket.entries;
					}
				});
				expect(bucket.total).toBe(total);
				bucket.expire(1_000_000, 1);
				expect(bucket.total).toBe(0);
				expect(bucket.entries).toBe(0);
			},
		),
	);
});
