import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { CountedLimits, RateLimitIdentity } from "../../../src/policy/admission.ts";
import { LimitSums } from "../../../src/process/supervisor/limit-sums.ts";

const limit = (capacity: number, series = "0 a") => ({
	identity: { edgeId: "e", routeId: "r", configuration: "c", ordinal: 0, capacity, windowMs: 1 },
	series,
});

/** What the limits of each capacity have counted; none: no request has come to them. */
function counting(admitted: ReadonlyMap<number, number>): CountedLimits {
	return {
		look<T>({ capacity }: RateLimitIdentity, at: Parameters<CountedLimits["look"]>[1]) {
			const counted = admitted.get(capacity);
			if (counted === undefined) return undefined;
			return at({
				totals: () => ({ live: 0, admitted: counted, rejected: 2 * counted }),
				decide: () => 0,
				room: { remaining: 0, freesMs: 0 },
				forget: () => false,
			}) as T;
		},
	};
}

const admitted = new Map<number, number>();
const counts = counting(admitted);

it("go on when a limit is changed, and when it is again what it was", () => {
	admitted.clear();
	const sums = new LimitSums();
	sums.look([limit(50)], counts);
	expect(sums.of("0 a")).toBeUndefined();
	admitted.set(50, 10);
	sums.look([limit(50)], counts);
	expect(sums.of("0 a")).toEqual({ admitted: 10, rejected: 20 });
	// It is told after the change.
	admitted.set(50, 11);
	sums.look([limit(60)], counts);
	expect(sums.of("0 a")).toEqual({ admitted: 11, rejected: 22 });
	admitted.set(60, 3);
	sums.look([limit(60)], counts);
	expect(sums.of("0 a")).toEqual({ admitted: 14, rejected: 28 });
	expect(sums.former.get("0 a")).toEqual({ admitted: 11, rejected: 22 });
	admitted.set(50, 12);
	sums.look([limit(50)], counts);
	expect(sums.of("0 a")).toEqual({ admitted: 15, rejected: 30 });
	expect(sums.former.get("0 a")).toEqual({ admitted: 3, rejected: 6 });
});

it("go on when the counters have forgotten a limit that nobody asked", () => {
	admitted.clear();
	const sums = new LimitSums();
	for (const count of [10, 4]) {
		admitted.set(50, count);
		sums.look([limit(50)], counts);
	}
	expect(sums.of("0 a")).toEqual({ admitted: 14, rejected: 28 });
});

it("have each request once, in the series that its limit had; several limits of one series are one sum", () => {
	admitted.clear();
	admitted.set(50, 10).set(60, 5);
	const sums = new LimitSums();
	sums.look([limit(50), limit(60)], counts);
	expect(sums.of("0 a")?.admitted).toBe(15);
	admitted.set(50, 12).set(60, 6);
	sums.look([limit(50, "1 a"), limit(60)], counts);
	expect(sums.of("0 a")?.admitted).toBe(16);
	expect(sums.of("1 a")?.admitted).toBe(2);
});

it("are of so many former limits only", () => {
	admitted.clear();
	const sums = new LimitSums();
	const last = LIMITS.formerLimitsOfRoute + 1;
	for (let capacity = 0; capacity <= last; capacity++) {
		admitted.set(capacity, 1);
		sums.look([limit(capacity, `0 ${capacity}`)], counts);
	}
	expect(sums.of("0 0")).toBeUndefined();
	expect(sums.of("0 1")).toEqual({ admitted: 1, rejected: 2 });
	expect(sums.of(`0 ${last}`)).toEqual({ admitted: 1, rejected: 2 });
});
