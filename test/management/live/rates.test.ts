/** A steady flow has its rate, a change is seen within seconds, and what has stopped fades. */
import { expect, it } from "vitest";
import { Rate, rounded } from "../../../src/management/live/rates.ts";

it("follows what comes, and fades when nothing does", () => {
	const rate = new Rate();
	expect(rate.perSecond(1_000_000)).toBe(0);
	let nowMs = 1_000_000;
	for (let second = 0; second < 30; second++) {
		nowMs += 1000;
		rate.add(50, 1, nowMs);
	}
	expect(rate.perSecond(nowMs)).toBeCloseTo(50);
	for (let second = 0; second < 10; second++) {
		nowMs += 2000;
		rate.add(200, 2, nowMs);
	}
	expect(rate.perSecond(nowMs)).toBeGreaterThan(95);
	expect(rate.total).toBe(30 * 50 + 10 * 200);
	expect(rate.perSecond(nowMs + 60_000)).toBeLessThan(0.001);
});

it("is told with three digits", () => {
	expect([0.0001, 0.1234, 12.345, 123_456].map(rounded)).toEqual([0, 0.123, 12.3, 123_000]);
});
