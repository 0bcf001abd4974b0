/** Whatever is added comes out by time, what has the same time in the order in which it came. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { TimeQueue } from "../../src/replay/time-queue.ts";

it("is a stable sort", () => {
	fc.assert(
		fc.property(fc.array(fc.nat(20)), (times) => {
			const queue = new TimeQueue<readonly [number, number]>();
			for (const [at, ms] of times.entries()) queue.add(ms, [ms, at]);
			const wanted = times.map((ms, at) => [ms, at] as const).toSorted((a, b) => a[0] - b[0]);
			expect(queue.size).toBe(times.length);
			expect(queue.nextMs).toBe(wanted[0]?.[0] ?? Number.POSITIVE_INFINITY);
			expect(wanted.map(() => queue.take())).toEqual(wanted);
			expect(queue.take()).toBeUndefined();
		}),
	);
});
