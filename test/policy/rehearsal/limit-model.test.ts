/** The model is the definition of the limit: it decides as the sliding log does, at any cost and time. */
import { expect, it } from "vitest";
import { ModelLimiters } from "../../../src/policy/rehearsal/limit-model.ts";
import { SlidingLog } from "../../limiter/sliding-log.ts";

const identity = (capacity: number, windowMs: number) => ({
	...{ edgeId: "e", routeId: "r", configuration: "c", ordinal: 0 },
	...{ capacity, windowMs },
});

it("decides as the sliding log, each key on its own", () => {
	let state = 7;
	const random = (below: number): number => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((state / 2_147_483_648) * below);
	};
	for (let run = 0; run < 50; run++) {
		let nowMs = 1000;
		const [capacity, windowMs] = [1 + random(5), 10 + random(50)];
		const limiter = new ModelLimiters(() => nowMs).open(identity(capacity, windowMs));
		const logs = ["a", "b"].map(() => new SlidingLog(capacity, windowMs));
		for (let step = 0; step < 100; step++) {
			nowMs += random(12);
			const key = random(2);
			expect(limiter.admit([String(key)])).toBe(logs[key]?.admit(nowMs));
		}
	}
});

it("takes a cost as a whole, asks without counting, and counts what has happened", () => {
	let nowMs = 0;
	const limiter = new ModelLimiters(() => nowMs).open(identity(10, 60_000));
	expect(limiter.decide("charge", 7, ["k"])).toBe(0);
	expect(limiter.room).toEqual({ remaining: 3, freesMs: 60_000 });
	nowMs = 10_000;
	expect(limiter.decide("charge", 4, ["k"])).toBe(50_000);
	expect(limiter.decide("ask", 3, ["k"])).toBe(0);
	expect(limiter.room.remaining).toBe(3);
	expect(limiter.decide("force", 5, ["k"])).toBe(0);
	expect(limiter.room.remaining).toBe(0);
	nowMs = 60_000;
	expect(limiter.decide("charge", 5, ["k"])).toBe(0);
	expect(limiter.decide("charge", 1, ["k"])).toBe(10_000);
});

it("tells equal limits of one policy apart, and finds a limit again", () => {
	const limiters = new ModelLimiters(() => 0);
	const [one, other] = [identity(1, 1000), { ...identity(1, 1000), ordinal: 1 }];
	expect(limiters.open(one).admit(["k"])).toBe(0);
	expect(limiters.open(other).admit(["k"])).toBe(0);
	limiters.release(one);
	expect(limiters.open(one).admit(["k"])).toBe(1000);
});
