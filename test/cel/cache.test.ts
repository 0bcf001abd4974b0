/** The cache keeps what was used last, never more than it may, and never another value than the last one put. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Cache } from "../../src/cel/cache.ts";

test("what was not used lately goes first", () => {
	const cache = new Cache<number>(2);
	expect(cache.put("a", 1)).toBe(1);
	cache.put("b", 2);
	cache.put("c", 3);
	expect(cache.get("a")).toBe(1);
	cache.put("d", 4);
	expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual([1, undefined, 3, 4]);
});

test("gives the last value put or none, and keeps what was used last, twice its size at most", () => {
	const key = fc.constantFrom(..."abcdefgh");
	const step = fc.record({ key, value: fc.option(fc.nat(), { nil: undefined }) });
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 3 }), fc.array(step), (size, steps) => {
			const cache = new Cache<number>(size);
			const last = new Map<string, number>();
			const used: string[] = [];
			for (const { key, value } of steps) {
				if (value !== undefined) {
					cache.put(key, value);
					last.set(key, value);
				}
				const found = cache.get(key);
				if (found === undefined) expect(used.slice(0, size)).not.toContain(key);
				else {
					expect(found).toBe(last.get(key));
					if (used.includes(key)) used.splice(used.indexOf(key), 1);
					used.unshift(key);
				}
			}
			const kept = [..."abcdefgh"].filter((each) => isKept(cache, each));
			expect(kept.length).toBeLessThanOrEqual(2 * size);
		}),
	);
});

/** Asking moves it, so each is asked for in a state that asking for others has changed; none comes back by that. */
const isKept = (cache: Cache<number>, key: string): boolean => cache.get(key) !== undefined;
