import fc from "fast-check";
import { expect, it } from "vitest";
import { DurationHistogram } from "../../../src/telemetry/traffic/duration-histogram.ts";

it("puts each duration into a bucket that is at most a quarter wide", () => {
	fc.assert(
		fc.property(fc.double({ min: 4000, max: 2e12, noNaN: true }), (nanoseconds) => {
			const histogram = new DurationHistogram(1000);
			histogram.observe(nanoseconds);
			const end = histogram.quantile(1) * 1e9;
			expect(end).toBeGreaterThanOrEqual(nanoseconds * 0.999);
			expect(end).toBeLessThanOrEqual(nanoseconds * 1.251 + 1000);
		}),
	);
});

it("tells quantiles of many durations as near as its buckets are wide", () => {
	const histogram = new DurationHistogram(1000);
	for (let microseconds = 1; microseconds <= 10_000; microseconds++) {
		histogram.observe(microseconds * 1000);
	}
	expect(histogram.quantile(0.5)).toBeCloseTo(0.005, 3);
	expect(histogram.quantile(0.99) / 0.0099).toBeCloseTo(1, 1);
	expect(new DurationHistogram(1000).quantile(0.5)).toBe(0);
});

it("counts what is too short or too long for it in its first and last bucket", () => {
	const histogram = new DurationHistogram(1000);
	for (const nanoseconds of [0, 1, 1e18]) histogram.observe(nanoseconds);
	expect(histogram.take().counts).toEqual([0, 2, 119, 1]);
});

it("hands over what has come since it was last asked, which another adds up", () => {
	const [own, sum] = [new DurationHistogram(1000), new DurationHistogram(1000)];
	for (const nanoseconds of [5000, 5000, 70_000]) own.observe(nanoseconds);
	sum.add(own.take());
	own.observe(5000);
	sum.add(own.take());
	expect(own.take()).toEqual({ seconds: 0, counts: [] });
	const again = new DurationHistogram(1000);
	again.lasted(sum.nanoseconds);
	expect(again.seconds).toBe(sum.seconds);
	expect(sum.count).toBe(4);
	expect(sum.seconds).toBeCloseTo(85e-6, 9);
});

it("counts for Prometheus what was shorter than each power of two", () => {
	const histogram = new DurationHistogram(1000);
	for (const microseconds of [1, 3, 4, 7, 8, 100]) histogram.observe(microseconds * 1000);
	expect([...histogram.cumulative(1, 4)]).toEqual([
		[2e-6, 1],
		[4e-6, 2],
		[8e-6, 4],
		[16e-6, 5],
	]);
});
