/** A line at once, then one each interval, and none of the times between is lost. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { LogPace, LogPaces } from "../../src/telemetry/log-pace.ts";

it("says the first at once, those of an interval with the next one after it", () => {
	const pace = new LogPace(1000);
	expect(pace.happened(5)).toBe(1);
	expect([6, 500, 1004].map((nowMs) => pace.happened(nowMs))).toEqual(Array(3).fill(undefined));
	expect(pace.happened(1005)).toBe(4);
	expect(pace.happened(9000)).toBe(1);
});

it("gives each kind its own pace, and all kinds beyond the bound one together", () => {
	const paces = new LogPaces(1000);
	expect(["a", "b", "a"].map((kind) => paces.happened(kind, 0))).toEqual([1, 1, undefined]);
	let lines = 0;
	for (let kind = 0; kind < 10 * LIMITS.logPaces; kind++) {
		if (paces.happened(String(kind), 1) !== undefined) lines++;
	}
	// The bound, once more after all were forgotten, and the line that the rest shares.
	expect(lines).toBe(LIMITS.logPaces - 2 + LIMITS.logPaces + 1);
	expect(paces.happened("later", 1001)).toBe(1);
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
