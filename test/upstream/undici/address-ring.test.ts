/** Proves the choice of address: fair turns, growing delays, one probe, and never no address at all. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { addon } from "../../../src/native-addon.ts";
import { AddressRing, NONE, WAIT } from "../../../src/upstream/undici/address-ring.ts";

/** milliseconds: the first delay, doubled with each failure up to the last; half of each is random */
const SET_ASIDE_FIRST_MS = LIMITS.upstreamSetAsideFirstMs;
const SET_ASIDE_LAST_MS = LIMITS.upstreamSetAsideLastMs;
const CONNECT_TIMEOUT_MS = 5000;

const OPTIONS = {
	setAsideFirstMs: SET_ASIDE_FIRST_MS,
	setAsideLastMs: SET_ASIDE_LAST_MS,
	connectTimeoutMs: CONNECT_TIMEOUT_MS,
	seed: 1,
};

const ringOf = (count: number, seed = 1) => {
	const state = { now: 0, full: new Set<number>() };
	const ring = new AddressRing({
		addresses: count,
		connectTimeoutMs: CONNECT_TIMEOUT_MS,
		hasRoom: (index) => !state.full.has(index),
		now: () => state.now,
		seed,
	});
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
	expect(ring.choose(undefined)).toBe(0);
	expect(ring.isProbe).toBe(true);
	expect([1, 2].map(() => ring.choose(undefined))).toEqual([1, 1]);
	expect(ring.isProbe).toBe(false);
	ring.connected(0);
	expect([ring.choose(undefined), ring.choose(undefined)].sort()).toEqual([0, 1]);
	expect(ring.isProbe).toBe(false);
});

test("one that takes connections and answers nothing is set aside for longer each time", () => {
	const { ring, state } = ringOf(2);
	for (const full of [1000, 2000, 4000]) {
		ring.connected(0);
		ring.failed(0);
		state.now += full / 2 - 1;
		expect([ring.choose(undefined), ring.choose(undefined)]).toEqual([1, 1]);
		state.now += full / 2 + 1;
		expect([ring.choose(undefined), ring.choose(undefined)].sort()).toEqual([0, 1]);
	}
	ring.connected(0);
	ring.answered(0);
	ring.failed(0);
	state.now += SET_ASIDE_FIRST_MS;
	expect([ring.choose(undefined), ring.choose(undefined)].sort()).toEqual([0, 1]);
});

test("delays double up to the bound, half of them random, however many fail together", () => {
	const { ring, state } = ringOf(2, 7);
	for (const full of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, SET_ASIDE_LAST_MS]) {
		const from = state.now;
		for (let together = 0; together < 5; together += 1) ring.failed(0);
		while (ring.choose(undefined) !== 0) state.now += 10;
		expect(state.now - from).toBeGreaterThanOrEqual(full / 2);
		expect(state.now - from).toBeLessThanOrEqual(full + 10);
	}
});

test("a probe that tells nothing is followed by another when connecting must have failed", () => {
	const { ring, state } = ringOf(2);
	ring.failed(0);
	state.now = SET_ASIDE_FIRST_MS;
	expect(ring.choose(undefined)).toBe(0);
	state.now += CONNECT_TIMEOUT_MS - 1;
	expect([ring.choose(undefined), ring.choose(undefined)]).toEqual([1, 1]);
	state.now += 1;
	expect(ring.choose(undefined)).toBe(0);
	expect(ring.isProbe).toBe(true);
});

test("jitter differs by seed, and shortens a delay by half at most", () => {
	const delays = new Set<number>();
	for (let seed = 1; seed < 50; seed += 1) {
		const { ring, state } = ringOf(2, seed);
		ring.failed(0);
		state.now = SET_ASIDE_FIRST_MS / 2 - 1;
		expect([ring.choose(undefined), ring.choose(undefined)]).toEqual([1, 1]);
		while (ring.choose(undefined) !== 0) state.now += 1;
		expect(state.now).toBeLessThanOrEqual(SET_ASIDE_FIRST_MS);
		delays.add(state.now);
	}
	expect(delays.size).toBeGreaterThan(10);
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

test("the addon refuses what would read or write elsewhere, whatever it is called on", () => {
	const create = addon.createAddressRing as (...values: unknown[]) => unknown;
	const states = new Uint8Array(2);
	for (const values of [
		...[[], [2, OPTIONS], [new Uint16Array(2), OPTIONS], [new ArrayBuffer(2), OPTIONS]],
		...[[states], [states, {}], [states, { ...OPTIONS, connectTimeoutMs: -1 }]],
		...[
			[states, { ...OPTIONS, seed: "1" }],
			[new Uint8Array(2 ** 16), OPTIONS],
		],
	]) {
		expect(() => create(...values), JSON.stringify(values)).toThrow(TypeError);
	}
	const ring = addon.createAddressRing(states, OPTIONS);
	const wrong: Readonly<Record<keyof typeof ring, unknown[][]>> = {
		choose: [[], [-1], ["0"], [Number.NaN]],
		connected: [[], [2], [-1], ["0"]],
		answered: [[], [2], [-1], ["0"]],
		failed: [[], [0], [2, 0], [0, -1], [0, "0"]],
		setAsideMs: [[], [0], [2, 0], [0, -1], [0, "0"]],
	};
	for (const [name, lists] of Object.entries(wrong)) {
		const method = Reflect.get(ring, name) as (...values: unknown[]) => unknown;
		for (const values of lists) {
			expect(() => method(...values), `${name} ${JSON.stringify(values)}`).toThrow(TypeError);
		}
	}
	const { choose } = ring;
	states.fill(addon.addressRingNumbers.hasRoom);
	expect([choose(0), choose.call(addon, 0), choose.call(undefined, 0)]).toEqual([0, 1, 0]);
	const decide = addon.decideRetry as (...values: unknown[]) => unknown;
	for (const values of [[], [64, 1, 1], [-1, 1, 1], [0, "1", 1], [0, 1]]) {
		expect(() => decide(...values), JSON.stringify(values)).toThrow(TypeError);
	}
});

test("a ring lives as long as one of its functions", async () => {
	const { setFlagsFromString } = await import("node:v8");
	const { runInNewContext } = await import("node:vm");
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as () => void;
	const states = () => new Uint8Array(64).fill(addon.addressRingNumbers.hasRoom);
	const kept = Array.from({ length: 100 }, () => addon.createAddressRing(states(), OPTIONS).choose);
	for (let round = 0; round < 5; round += 1) {
		for (let made = 0; made < 100; made += 1) addon.createAddressRing(states(), OPTIONS);
		collect();
		await new Promise((resolve) => setImmediate(resolve));
		expect(kept.every((choose) => choose(0) === round)).toBe(true);
	}
});
