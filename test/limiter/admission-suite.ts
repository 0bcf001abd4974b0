/**
 * One suite for everything that decides about admissions. It compares decisions on random histories
 * with the definition itself, counted naively: at most `capacity` admissions in any window, where an
 * admission of age `windowMs` or more no longer counts.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Decides at the given time, which never goes back. */
export type Admit = (nowMs: number) => number;
export type CreateAdmit = (capacity: number, windowMs: number) => Admit;

/** Ages of admissions that still count, straight from the definition. */
export const countYoung = (admitted: readonly number[], now: number, windowMs: number): number =>
	admitted.filter((stamp) => now - stamp < windowMs).length;

/** The most admissions that any window of this length holds; windows begin at an admission. */
export const fullestWindow = (admitted: readonly number[], windowMs: number): number =>
	Math.max(
		0,
		...admitted.map(
			(start) => admitted.filter((stamp) => stamp >= start && stamp - start < windowMs).length,
		),
	);

/**
 * A short gap is likely, so that milliseconds are shared and the window gets full; a long one sometimes
 * empties it.
 */
const gaps = (windowMs: number, capacity: number): fc.Arbitrary<number> => {
	const isLarge = capacity > 8;
	const short = isLarge ? Math.min(2, Math.ceil(windowMs / capacity)) : 2;
	return fc.oneof(
		{ weight: isLarge ? 100 : 4, arbitrary: fc.integer({ min: 0, max: short }) },
		{ weight: 3, arbitrary: fc.integer({ min: 0, max: Math.max(1, Math.floor(windowMs / 4)) }) },
		{ weight: 1, arbitrary: fc.integer({ min: windowMs - 1, max: windowMs + 1 }) },
	);
};

/** Histories that are long enough to fill the window and to go round any ring of its size. */
const histories = ([min, max]: readonly [number, number]) =>
	fc
		.record({
			capacity: fc.integer({ min, max }),
			windowMs: fc.integer({ min: 1, max: 40 + 2 * max }),
		})
		.chain(({ capacity, windowMs }) =>
			fc.record({
				capacity: fc.constant(capacity),
				windowMs: fc.constant(windowMs),
				gaps: fc.array(gaps(windowMs, capacity), {
					minLength: max > 8 ? max + 1 : 1,
					maxLength: 52 + 3 * max,
					...(max > 8 ? { size: "max" as const } : {}),
				}),
			}),
		);

/** Times from gaps; they start high, as a boot clock does. */
export const times = (list: readonly number[]): number[] => {
	let now = 4_000_000_000;
	return list.map((gap) => {
		now += gap;
		return now;
	});
};

/** Feeds all times in; returns those that were admitted. */
const replay = (admit: Admit, moments: readonly number[]): number[] =>
	moments.filter((moment) => admit(moment) === 0);

/** @param capacities from the first to the second */
export function describeExactAdmission(
	name: string,
	create: CreateAdmit,
	capacities: readonly [number, number] = [1, 8],
): void {
	const history = histories(capacities);
	const runs = { numRuns: capacities[1] > 8 ? 100 : 300 };
	describe(`${name}: exact sliding window of ${capacities.join(" to ")}`, () => {
		it("admits exactly where fewer than capacity admissions are younger than the window", () => {
			fc.assert(
				fc.property(history, ({ capacity, windowMs, gaps: list }) => {
					const admit = create(capacity, windowMs);
					const admitted: number[] = [];
					for (const now of times(list)) {
						const wait = admit(now);
						const young = countYoung(admitted, now, windowMs);
						expect(wait === 0, `at ${now} with ${young} young`).toBe(young < capacity);
						if (wait === 0) admitted.push(now);
					}
					expect(fullestWindow(admitted, windowMs)).toBeLessThanOrEqual(capacity);
				}),
				runs,
			);
		});

		it("says to wait exactly as long as it takes: a millisecond less rejects, that long admits", () => {
			let rejections = 0;
			fc.assert(
				fc.property(history, ({ capacity, windowMs, gaps: list }) => {
					const moments = times(list);
					const last = moments.at(-1) ?? 0;
					const admit = create(capacity, windowMs);
					replay(admit, moments);
					const wait = admit(last);
					if (wait === 0) return;
					rejections += 1;
					expect(wait).toBeGreaterThanOrEqual(1);
					expect(wait).toBeLessThanOrEqual(windowMs);
					expect(admit(last + wait - 1)).toBe(1);
					expect(admit(last + wait)).toBe(0);
				}),
				runs,
			);
			expect(rejections).toBeGreaterThan(runs.numRuns / 6);
		});

		it("is not changed by rejections, however many", () => {
			fc.assert(
				fc.property(history, ({ capacity, windowMs, gaps: list }) => {
					const calm = create(capacity, windowMs);
					const attacked = create(capacity, windowMs);
					for (const now of times(list)) {
						const wait = calm(now);
						expect(attacked(now)).toBe(wait);
						if (wait > 0) for (let i = 0; i < 3; i++) expect(attacked(now)).toBe(wait);
					}
				}),
			);
		});
	});
}
