/**
 * Floods of distinct keys: a rate-limit keeps no more than its bound, never forgets a key over its limit,
 * and leaves other rate-limits alone. Every key that came is accounted for.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Counters, type NativeLimiter } from "../../src/limiter/binding.ts";
import { admitText, clockAt, SEGMENT_BYTES } from "./support.ts";

const START = 1_000_000;
const WINDOW_MS = 60_000;
/** cells of a group: the bound is rounded up to whole groups */
const WAYS = 8;

function open(counters: Counters, name: string, capacity: number, keysMax: number): NativeLimiter {
	const limiter = counters.open(name, capacity, WINDOW_MS, keysMax);
	if (limiter === undefined) throw new Error("no room");
	return limiter;
}

const flood = fc.record({
	keysMax: fc.integer({ min: 16, max: 200 }),
	capacity: fc.constantFrom(1, 2, 5, 13, 29, 61, 1000),
	newcomers: fc.integer({ min: 1000, max: 3000 }),
	/** of the bound, as many keys are over their limit before the flood comes */
	limited: fc.nat({ max: 60 }),
});

const crowded = (capacity: number) => ({ keysMax: 64, capacity, newcomers: 2000, limited: 50 });

describe("a flood of keys", () => {
	it("is kept within the bound; who is limited stays so; all are accounted for", () => {
		const seen = { evicted: 0, full: 0 };
		fc.assert(
			fc.property(flood, ({ keysMax, capacity, newcomers, limited: percent }) => {
				const counters = new Counters({ clock: clockAt(START) });
				const quiet = open(counters, "quiet", 2, keysMax);
				expect(admitText(quiet, "key")).toBe(0);
				const flooded = open(counters, "flooded", capacity, keysMax);

				let keys = 0;
				let turnedAway = 0;
				const limited: string[] = [];
				const wanted = Math.max(1, Math.floor((keysMax * percent) / 100));
				for (; limited.length < wanted && keys < 2 * keysMax; keys++) {
					const key = `limited ${keys}`;
					if (admitText(flooded, key) > 0) {
						turnedAway += 1;
						continue;
					}
					for (let request = 1; request < capacity; request++) admitText(flooded, key);
					expect(admitText(flooded, key)).toBe(WINDOW_MS);
					limited.push(key);
				}
				const bytes = () => counters.statistics().bytes;
				expect(bytes()).toBe(SEGMENT_BYTES);
				for (let index = 0; index < newcomers; index++, keys++) {
					const wait = admitText(flooded, `newcomer ${index}`);
					if (wait > 0) {
						expect(wait).toBe(WINDOW_MS);
						turnedAway += 1;
					}
					if (index % 500 > 0) continue;
					for (const key of limited) expect(admitText(flooded, key), key).toBe(WINDOW_MS);
				}
				for (const key of limited) expect(admitText(flooded, key), key).toBe(WINDOW_MS);

				const { live, evicted, full, limiters } = counters.statistics();
				expect(limiters).toBe(2);
				expect(live - 1).toBeLessThanOrEqual(Math.ceil(keysMax / WAYS) * WAYS);
				expect(live - 1, "most of it is used").toBeGreaterThan(keysMax / 2);
				expect(full).toBe(turnedAway);
				expect(live - 1 + evicted + full, "kept, forgotten or turned away").toBe(keys);
				expect(bytes()).toBe(SEGMENT_BYTES);
				seen.evicted += evicted;
				seen.full += full;
				expect(admitText(quiet, "key")).toBe(0);
				expect(admitText(quiet, "key")).toBe(WINDOW_MS);
				counters.close();
			}),
			// Without them one run in some 500 draws no flood that turns many away.
			{ numRuns: 40, examples: [[crowded(1)], [crowded(2)]] },
		);
		expect(seen.evicted).toBeGreaterThan(1000);
		expect(seen.full).toBeGreaterThan(1000);
	});

	it("of limited keys turns newcomers away until the first of them may come again", () => {
		const counters = new Counters({ clock: clockAt(START) });
		const limiter = open(counters, "name", 1, 8);
		for (let index = 0; index < 8; index++) {
			counters.setClock(START + 1000 * index);
			expect(admitText(limiter, `key ${index}`)).toBe(0);
		}
		const wait = admitText(limiter, "newcomer");
		expect(wait).toBe(WINDOW_MS - 7000);
		counters.setClock(START + WINDOW_MS - 1);
		expect(admitText(limiter, "newcomer")).toBe(1);
		counters.setClock(START + WINDOW_MS);
		expect(admitText(limiter, "newcomer")).toBe(0);
		expect(admitText(limiter, "key 0"), "its place is taken").toBe(1000);
		expect(admitText(limiter, "key 1")).toBe(1000);
		expect(counters.statistics()).toMatchObject({ live: 8, evicted: 0, full: 3 });
		counters.close();
	});

	it("forgets the key that was admitted longest ago among those that are not limited", () => {
		const counters = new Counters({ clock: clockAt(START) });
		const limiter = open(counters, "name", 2, 8);
		for (let index = 0; index < 8; index++) {
			counters.setClock(START + 1000 * index);
			expect(admitText(limiter, `key ${index}`)).toBe(0);
		}
		// The first is over its limit, the second was admitted again just now and is limited too.
		for (const key of ["key 0", "key 1"]) expect(admitText(limiter, key)).toBe(0);
		expect(admitText(limiter, "newcomer")).toBe(0);
		for (const index of [0, 1]) expect(admitText(limiter, `key ${index}`)).toBeGreaterThan(0);
		for (let index = 3; index < 8; index++) {
			expect(admitText(limiter, `key ${index}`), "still known").toBe(0);
			expect(admitText(limiter, `key ${index}`)).toBeGreaterThan(0);
		}
		expect(counters.statistics()).toMatchObject({ live: 8, evicted: 1, full: 0 });
		counters.close();
	});

	it("of keys that expire makes room for ever more without forgetting one too early", () => {
		const counters = new Counters({ clock: clockAt(START) });
		const limiter = open(counters, "name", 1, 1024);
		for (let round = 0; round < 20; round++) {
			counters.setClock(START + round * WINDOW_MS);
			for (let index = 0; index < 400; index++) {
				expect(admitText(limiter, `key ${round} ${index}`)).toBe(0);
			}
		}
		const { live, evicted, full, bytes } = counters.statistics();
		expect({ evicted, full, bytes }).toEqual({ evicted: 0, full: 0, bytes: SEGMENT_BYTES });
		expect(live).toBeLessThanOrEqual(1024);
		counters.close();
	});

	it("beyond a bound of many pages grows the counters no more", () => {
		const counters = new Counters({ clock: clockAt(START) });
		const limiter = open(counters, "name", 61, 20_000);
		let key = 0;
		const admitMany = (count: number) => {
			for (const end = key + count; key < end; key++) admitText(limiter, `key ${key}`);
			return counters.statistics();
		};
		const before = admitMany(100_000);
		expect(before.live).toBeGreaterThan(18_000);
		expect(before.live).toBeLessThanOrEqual(20_000);
		const after = admitMany(100_000);
		expect(after.bytes).toBe(before.bytes);
		expect(after.bytes).toBeLessThan(20_000 * 576 + 2 * SEGMENT_BYTES);
		expect(after.live + after.evicted).toBe(200_000);
		expect(after.full).toBe(0);
		counters.close();
	});

	it.each([5, 13, 29, 61])(
		"of C = %i forgets nobody while six tenths of the bound are used",
		(capacity) => {
			const keysMax = 65_536;
			const counters = new Counters({ clock: clockAt(START) });
			const limiter = open(counters, "name", capacity, keysMax);
			const keys = Math.floor(0.6 * keysMax);
			for (let key = 0; key < keys; key++) expect(admitText(limiter, `key ${key}`)).toBe(0);
			expect(counters.statistics()).toMatchObject({ live: keys, evicted: 0, full: 0 });
			counters.close();
		},
	);

	it.each([5, 13, 29, 61])(
		"of C = %i forgets fewer than 1 key in 2000 at 85 %% of the bound",
		(capacity) => {
			const keysMax = 65_536;
			const counters = new Counters({ clock: clockAt(START) });
			const limiter = open(counters, "name", capacity, keysMax);
			const keys = Math.floor(0.85 * keysMax);
			for (let key = 0; key < keys; key++) admitText(limiter, `key ${key}`);
			const { live, evicted, full } = counters.statistics();
			expect({ all: live + evicted, full }).toEqual({ all: keys, full: 0 });
			expect(evicted).toBeLessThan(keys / 2000);
			counters.close();
		},
	);
});
