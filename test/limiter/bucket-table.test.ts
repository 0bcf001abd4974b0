/**
 * A table with room for every key decides as the oracle does; a table with less forgets in the order
 * that the head of `bucket-table.ts` promises, held against a naive model that keeps everything.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BucketTable } from "../../src/limiter/bucket-table.ts";
import { SlidingLog } from "../../src/limiter/reference.ts";
import { countYoung, describeExactAdmission, times } from "./admission-suite.ts";

const events = () => ({ evicted: 0, full: 0 });

describeExactAdmission("BucketTable", (capacity, windowMs) => {
	const table = new BucketTable(capacity, windowMs, 1, events());
	return (now) => table.admit("key", now);
});

/** The same rules without any structure: one list of admissions per key, everything searched. */
class NaiveTable {
	readonly keys = new Map<string, number[]>();
	readonly events = events();
	readonly #capacity: number;
	readonly #windowMs: number;
	readonly #keysMax: number;

	constructor(capacity: number, windowMs: number, keysMax: number) {
		this.#capacity = capacity;
		this.#windowMs = windowMs;
		this.#keysMax = keysMax;
	}

	/** ms until this key has room; 0 or less if it has */
	#wait(stamps: readonly number[], now: number): number {
		const deciding = stamps.at(-this.#capacity);
		return deciding === undefined ? 0 : deciding + this.#windowMs - now;
	}

	/**
	 * @param isKept tells which key the real table forgot: where several admitted in the same
	 * millisecond, or several expired, the rules leave the choice
	 * @returns the wait in ms, 0 if admitted
	 */
	admit(key: string, now: number, isKept: (key: string) => boolean): number {
		const stamps = this.keys.get(key);
		if (stamps !== undefined) {
			const wait = this.#wait(stamps, now);
			if (wait > 0) return wait;
			stamps.push(now);
			return 0;
		}
		if (this.keys.size === this.#keysMax) {
			const waits = [...this.keys.values()].map((own) => this.#wait(own, now));
			if (waits.every((wait) => wait > 0)) {
				this.events.full += 1;
				return Math.min(...waits);
			}
			this.#forget(now, isKept);
		}
		this.keys.set(key, [now]);
		return 0;
	}

	#forget(now: number, isKept: (key: string) => boolean): void {
		const free = [...this.keys].filter(([, own]) => this.#wait(own, now) <= 0);
		const expired = free.filter(([, own]) => countYoung(own, now, this.#windowMs) === 0);
		const longest = Math.min(...free.map(([, own]) => own.at(-1) ?? 0));
		const allowed =
			expired.length > 0 ? expired : free.filter(([, own]) => (own.at(-1) ?? 0) === longest);
		if (expired.length === 0) this.events.evicted += 1;
		const gone = allowed.filter(([name]) => !isKept(name));
		expect(gone, "exactly one of those that may go is gone").toHaveLength(1);
		for (const [name] of gone) this.keys.delete(name);
	}
}

describe("a table smaller than its keys", () => {
	const scenario = fc.record({
		capacity: fc.integer({ min: 1, max: 4 }),
		windowMs: fc.integer({ min: 2, max: 30 }),
		keysMax: fc.integer({ min: 1, max: 5 }),
		steps: fc.array(
			fc.record({
				key: fc.nat({ max: 8 }),
				gap: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 12 })),
			}),
			{ minLength: 1, maxLength: 150 },
		),
	});

	it("decides, forgets and counts as the naive model does", () => {
		let evicted = 0;
		let full = 0;
		fc.assert(
			fc.property(scenario, ({ capacity, windowMs, keysMax, steps }) => {
				const seen = events();
				const table = new BucketTable(capacity, windowMs, keysMax, seen);
				const naive = new NaiveTable(capacity, windowMs, keysMax);
				const moments = times(steps.map(({ gap }) => gap));
				steps.forEach(({ key }, index) => {
					const now = moments[index] ?? 0;
					const wait = table.admit(`key ${key}`, now);
					expect(naive.admit(`key ${key}`, now, (name) => table.has(name))).toBe(wait);
					expect(wait).toBeLessThanOrEqual(windowMs);
					expect(table.size).toBe(naive.keys.size);
					expect(table.size).toBeLessThanOrEqual(keysMax);
					expect(seen).toEqual(naive.events);
				});
				evicted += seen.evicted;
				full += seen.full;
			}),
			{ numRuns: 500, endOnFailure: true },
		);
		expect(evicted).toBeGreaterThan(100);
		expect(full).toBeGreaterThan(100);
	});

	it("frees no limited key, however many others come", () => {
		const seen = events();
		const table = new BucketTable(2, 60_000, 100, seen);
		table.admit("attacker", 0);
		table.admit("attacker", 0);
		for (let i = 0; i < 10_000; i++) table.admit(`flood ${i}`, 1 + i);
		expect(table.admit("attacker", 10_001)).toBe(49_999);
		expect(table.size).toBe(100);
		expect(seen).toEqual({ evicted: 10_000 - 99, full: 0 });
	});

	it("rejects a newcomer among limited keys until the first of them has room", () => {
		const seen = events();
		const table = new BucketTable(1, 1000, 3, seen);
		for (const now of [10, 20, 30]) expect(table.admit(`key ${now}`, now)).toBe(0);
		expect(table.admit("newcomer", 40)).toBe(970);
		expect(table.admit("newcomer", 1009)).toBe(1);
		expect(table.admit("newcomer", 1010)).toBe(0);
		expect(seen).toEqual({ evicted: 0, full: 2 });
		// It took the place of the expired one and is limited itself now.
		expect(table.admit("key 20", 1011)).toBe(9);
		expect(table.admit("another", 1012)).toBe(8);
	});

	it("reclaims an expired key that was limited once without counting it as forgotten", () => {
		const seen = events();
		const table = new BucketTable(2, 100, 3, seen);
		table.admit("once limited", 0);
		table.admit("oldest", 10);
		table.admit("once limited", 50);
		table.admit("kept", 60);
		// The first has room again, but admitted later than the second, which has to go.
		expect(table.admit("newcomer", 105)).toBe(0);
		expect([table.has("once limited"), table.has("oldest")]).toEqual([true, false]);
		expect(seen).toEqual({ evicted: 1, full: 0 });
		expect(table.admit("another", 155)).toBe(0);
		expect([table.has("once limited"), table.has("kept")]).toEqual([false, true]);
		expect(seen).toEqual({ evicted: 1, full: 0 });
	});

	it("with room for all keys, each decides as if it were alone", () => {
		fc.assert(
			fc.property(scenario, ({ capacity, windowMs, steps }) => {
				const table = new BucketTable(capacity, windowMs, 9, events());
				const oracles = new Map<number, SlidingLog>();
				const moments = times(steps.map(({ gap }) => gap));
				steps.forEach(({ key }, index) => {
					const oracle = oracles.get(key) ?? new SlidingLog(capacity, windowMs);
					oracles.set(key, oracle);
					const now = moments[index] ?? 0;
					expect(table.admit(`key ${key}`, now)).toBe(oracle.admit(now));
				});
			}),
		);
	});
});

it("is expired a window after the last admission of any key", () => {
	const table = new BucketTable(1, 100, 10, events());
	expect(table.isExpired(0)).toBe(true);
	table.admit("a", 50);
	table.admit("b", 60);
	table.admit("b", 70);
	expect(table.isExpired(159)).toBe(false);
	expect(table.isExpired(160)).toBe(true);
});
