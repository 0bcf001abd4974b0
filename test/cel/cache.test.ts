/** The cache keeps what was used last. */
import { expect, test } from "vitest";
import { Cache } from "../../src/cel/cache.ts";

test("what was not used for longest goes first", () => {
	const cache = new Cache<number>(2);
	expect(cache.put("a", 1)).toBe(1);
	cache.put("b", 2);
	expect(cache.get("a")).toBe(1);
	cache.put("c", 3);
	expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
	cache.put("a", 4);
	cache.put("d", 5);
	expect([cache.get("a"), cache.get("c"), cache.get("d")]).toEqual([4, undefined, 5]);
});
