/** Proves the choice of address: fair turns, growing delays, one probe, and never no address at all. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	AddressRing,
	NONE,
	SET_ASIDE_FIRST_MS,
	SET_ASIDE_LAST_MS,
	WAIT,
} from "../../../src/upstream/undici/addresses.ts";

const ringOf = (count: number, random = 1) => {
	const state = { now: 0, full: new Set<number>() };
	const ring = new AddressRing(
		count,
		(index) => !state.full.has(index),
		() => state.now,
		() => random,
	);
	return { ring, state };
};

test("takes turns", () => {
	const { ring } = ringOf(3);
	expect([0, 1, 2, 3, 4].map(() => ring.choose(undefined))).toEqual([0, 1, 2, 0, 1]);
});

test("an address that failed is passed over until its delay is over, then gets one request", () => {
	const { ring, state } = ringOf(2);
	ring.failed(0);
	expect([ring.choose(undefined), ring.choose(undefined)]).toEqual([1, 1]);
	state.now = SET_ASIDE_FIRST_MS;
	expect([0, 1, 2].map(() => ring.choose(undefined))).toEqual([0, 1, 1]);
	ring.succeeded(0);
	expect([ring.choose(undefined), ring.choose(undefined)].sort()).toEqual([0, 1]);
});

test("delays double up to the bound, however many fail together", () => {
	const { ring, state } = ringOf(2);
	const delays: number[] = [];
	for (let round = 0; round < 8; round += 1) {
		const from = state.now;
		for (let together = 0; together < 5; together += 1) ring.failed(0);
		while (ring.choose(undefined) !== 0) state.now += 100;
		delays.push(state.now - from);
	}
	const full = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000];
	expect(delays).toEqual(full);
	expect(full.at(-1)).toBe(SET_ASIDE_LAST_MS);
});

test("jitter shortens a delay by half at most", () => {
	fc.assert(
		fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
			const { ring, state } = ringOf(2, random);
			ring.failed(0);
			state.now = SET_ASIDE_FIRST_MS / 2 - 1;
			expect([ring.choose(undefined), ring.choose(undefined)]).toEqual([1, 1]);
			state.now = SET_ASIDE_FIRST_MS;
			expect([ring.choose(undefined), ring.choose(undefined)]).toContain(0);
		}),
	);
});

test("with all set aside the one that failed longest ago is tried", () => {
	const { ring, state } = ringOf(3);
	for (const index of [1, 2, 0]) {
		ring.failed(index);
		state.now += 1;
	}
	expect(ring.choose(undefined)).toBe(1);
	expect(ring.choose(new Set([1]))).toBe(2);
	expect(ring.choose(new Set([0, 1, 2]))).toBe(NONE);
	state.full.add(1);
	expect(ring.choose(undefined)).toBe(2);
});

test("without room it says to wait, and takes no address that was tried", () => {
	fc.assert(
		fc.property(
			fc.array(fc.record({ full: fc.boolean(), tried: fc.boolean(), failed: fc.boolean() }), {
				minLength: 1,
				maxLength: 8,
			}),
			(addresses) => {
				const { ring, state } = ringOf(addresses.length);
				const tried = new Set<number>();
				for (const [index, address] of addresses.entries()) {
					if (address.full) state.full.add(index);
					if (address.tried) tried.add(index);
					if (address.failed) ring.failed(index);
				}
				const left = addresses.filter((address) => !address.tried);
				const alive = left.filter((address) => !address.failed);
				const usable = (alive.length > 0 ? alive : left).filter((address) => !address.full);
				const chosen = ring.choose(tried);
				if (left.length === 0) expect(chosen).toBe(NONE);
				else if (usable.length === 0) expect(chosen).toBe(WAIT);
				else expect(usable).toContain(addresses[chosen]);
			},
		),
	);
});
