/** Which requests the front could have answered, and that what it has counted is taken once. */
import { describe, expect, it } from "vitest";
import { AddressSet } from "../../src/http/address-set.ts";
import { Front } from "../../src/http/front.ts";
import {
	clearStanding,
	clientOf,
	dropAddresses,
	dropGuard,
	dropStanding,
	isUsual,
	listenerOf,
	putAddresses,
	putGuard,
	putStanding,
	takeCounts,
	takeFacts,
	wakeStanding,
} from "../../src/http/standing.ts";
import { addon } from "../../src/native-addon.ts";

const { frontLayout } = addon;
const front = Front.open();

const numbersWith = (changes: Partial<Record<keyof typeof frontLayout, number>>): Float64Array => {
	const numbers = new Float64Array(frontLayout.numbers);
	numbers[frontLayout.kind] = frontLayout.kindPlain;
	for (const [name, value] of Object.entries(changes)) {
		numbers[frontLayout[name as keyof typeof frontLayout]] = value;
	}
	return numbers;
};

const REFUSAL = {
	...{ isLimited: false, limiter: 0, windowSeconds: 0, key: [], ipv6Prefix: 64 },
	...{ pieces: ["a", "b"], holes: "d", contentBytes: 0, contentSeconds: 0 },
};
/** `refuse` by the first refusal. */
const REFUSES = Uint32Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
const NO_SETS = Uint32Array.of();
const GUARD = { code: REFUSES, texts: [], sets: NO_SETS, refusals: [REFUSAL] };
const STANDING = { listener: 0, host: "h", normalHost: "h", path: "/", isExact: false, guard: 3 };
const SET = AddressSet.of([]);

it("tells usual requests, and their listener, by the front's numbers", () => {
	expect(isUsual(numbersWith({}))).toBe(true);
	expect(isUsual(numbersWith({ flags: frontLayout.fresh }))).toBe(true);
	expect(isUsual(numbersWith({ kind: frontLayout.kindLines }))).toBe(false);
	expect(isUsual(numbersWith({ flags: frontLayout.last }))).toBe(false);
	expect(isUsual(numbersWith({ flags: frontLayout.http10 }))).toBe(false);
	expect(isUsual(numbersWith({ bodyLength: -1 }))).toBe(false);
	expect(listenerOf(numbersWith({ listener: 3 }))).toBe(3);
});

it("spells a client's address as everything else does", () => {
	const fact = { number: 0, refusal: 0, wallMs: 0, method: "GET", path: "/" };
	expect(clientOf({ ...fact, address: Uint8Array.of(192, 0, 2, 1) })).toBe("192.0.2.1");
});

describe.skipIf(front === undefined)("the addon", () => {
	it("takes refusals and lets them go, and has counted nothing without requests", () => {
		expect(putGuard(3, GUARD)).toBe(true);
		putStanding(0, STANDING);
		wakeStanding(0);
		dropGuard(3);
		dropStanding(0);
		dropStanding(17);
		expect(() => putStanding(0, STANDING)).toThrow(TypeError);
		expect(putGuard(3, GUARD)).toBe(true);
		putStanding(5, STANDING);
		clearStanding();
		expect(() => putStanding(5, STANDING)).toThrow(TypeError);
		let counted = 0;
		takeCounts(() => counted++);
		expect(counted).toBe(0);
		expect(takeFacts(3)).toEqual([]);
	});

	it("takes none of a limiter that is not open, and no key of another kind", () => {
		const guardOf = (change: object) => ({ ...GUARD, refusals: [{ ...REFUSAL, ...change }] });
		expect(putGuard(0, guardOf({ isLimited: true, limiter: 99_999 }))).toBe(false);
		expect(() => putGuard(0, guardOf({ key: ["?"] }))).toThrow(TypeError);
		expect(() => putGuard(0, guardOf({ ipv6Prefix: 0 }))).toThrow(TypeError);
	});

	it("takes no guard that leads nowhere, or to sets that are not there", () => {
		const asks = Array.from({ length: 10 }, () => 0);
		const looks = [5, 0, 0, 0, 0, 0, 0, 0, 1, 1];
		const addresses = (sets: number[], code = [...looks, ...asks]) => ({
			...GUARD,
			sets: Uint32Array.from(sets),
			code: Uint32Array.from(code),
		});
		expect(() => putGuard(0, addresses([2]))).toThrow(TypeError);
		putAddresses(2, SET.v4, SET.v6);
		expect(putGuard(0, addresses([2]))).toBe(true);
		dropAddresses(2);
		expect(() => putGuard(0, addresses([2]))).toThrow(TypeError);
		for (const code of [
			[],
			[1],
			[5, 0, 0, 0, 0, 0, 0, 0, 0, 1, ...asks],
			[5, 0, 0, 0, 0, 0, 0, 0, 1, 2, ...asks],
			[256, 0, 0, 0, 0, 0, 0, 0, 0, 0],
			[1, 0, 0, 0, 0, 0, 1, 0, 0, 0],
		])
			expect(() => putGuard(0, addresses([], code)), String(code)).toThrow(TypeError);
	});
});
