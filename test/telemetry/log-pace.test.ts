/** A line at once, then one each interval, and none of the times between is lost. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LogPace } from "../../src/telemetry/log-pace.ts";

it("says the first at once, those of an interval with the next one after it", () => {
	const pace = new LogPace(1000);
	expect(pace.happened(5)).toBe(1);
	expect([6, 500, 1004].map((nowMs) => pace.happened(nowMs))).toEqual(Array(3).fill(undefined));
	expect(pace.happened(1005)).toBe(4);
	expect(pace.happened(9000)).toBe(1);
});

it("property: lines are an interval apart, and count everything up to the last of them", () => {
	fc.assert(
		fc.property(fc.array(fc.nat(400), { maxLength: 200 }), (pauses) => {
			const pace = new LogPace(1000);
			let nowMs = 0;
			let told = 0;
			let lastMs = Number.NEGATIVE_INFINITY;
			for (const [index, pause] of pauses.entries()) {
				nowMs += pause;
				const times = pace.happened(nowMs);
				if (times === undefined) {
					expect(nowMs - lastMs).toBeLessThan(1000);
					continue;
				}
				expect(nowMs - lastMs).toBeGreaterThanOrEqual(1000);
				told += times;
				lastMs = nowMs;
				expect(told).toBe(index + 1);
			}
		}),
	);
});
