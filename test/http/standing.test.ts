/** Which requests the front could have answered, and that what it has counted is taken once. */
import { describe, expect, it } from "vitest";
import { Front } from "../../src/http/front.ts";
import {
	clearStanding,
	clientOf,
	dropStanding,
	isUsual,
	listenerOf,
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
	...{ listener: 0, host: "h", path: "/", isExact: false, isLimited: false, limiter: 0 },
	...{ windowSeconds: 0, key: [], ipv6Prefix: 64 },
	...{ pieces: ["a", "b"], holes: "d", contentBytes: 0, contentSeconds: 0 },
};

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
	const fact = { number: 0, wallMs: 0, method: "GET", path: "/" };
	expect(clientOf({ ...fact, address: Uint8Array.of(192, 0, 2, 1) })).toBe("192.0.2.1");
});

describe.skipIf(front === undefined)("the addon", () => {
	it("takes refusals and lets them go, and has counted nothing without requests", () => {
		expect(putStanding(0, REFUSAL)).toBe(true);
		wakeStanding(0);
		dropStanding(0);
		dropStanding(17);
		expect(putStanding(5, REFUSAL)).toBe(true);
		clearStanding();
		let counted = 0;
		takeCounts(() => counted++);
		expect(counted).toBe(0);
		expect(takeFacts(3)).toEqual([]);
	});

	it("takes none of a limiter that is not open, and no key of another kind", () => {
		expect(putStanding(0, { ...REFUSAL, isLimited: true, limiter: 99_999 })).toBe(false);
		expect(() => putStanding(0, { ...REFUSAL, key: ["?"] })).toThrow(TypeError);
		expect(() => putStanding(0, { ...REFUSAL, ipv6Prefix: 0 })).toThrow(TypeError);
	});
});
