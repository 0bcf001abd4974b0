/**
 * Identity and life of a limiter: whose counts are whose, what survives a re-PUT, when memory is given
 * back. The window itself is proven by the shared suite.
 */
import { describe, expect, it } from "vitest";
import { configSchema } from "../../src/config.ts";
import { createRateLimiters } from "../../src/limiter/limiters.ts";
import { LIMITS } from "../../src/limits.ts";
import type { RateLimitIdentity } from "../../src/policy/admission.ts";
import { describeExactAdmission } from "./admission-suite.ts";

const identity = (changes: Partial<RateLimitIdentity> = {}): RateLimitIdentity => ({
	edgeId: "edge",
	routeId: "route",
	configuration: '{"capacity":2,"rate":"60s"}',
	ordinal: 0,
	capacity: 2,
	windowMs: 60_000,
	...changes,
});

/** Limiters under a clock that moves only when told to. */
function manual(keysMax = 100) {
	const time = { now: 1_000_000 };
	return { time, limiters: createRateLimiters({ keysMax, clock: () => time.now }) };
}

describeExactAdmission("createRateLimiters", (capacity, windowMs) => {
	const { time, limiters } = manual(1);
	const limiter = limiters.open(identity({ capacity, windowMs }));
	return (now) => {
		time.now = now;
		return limiter.admit("key");
	};
});

describe("identity", () => {
	it("an equal identity has the same counts, whatever object names it", () => {
		const { limiters } = manual();
		expect(limiters.open(identity()).admit("key")).toBe(0);
		expect(limiters.open(identity()).admit("key")).toBe(0);
		expect(limiters.open(identity()).admit("key")).toBe(60_000);
	});

	it("any part that differs has counts of its own", () => {
		const { limiters } = manual();
		const all = [
			identity(),
			identity({ edgeId: "edge2" }),
			identity({ routeId: "route2" }),
			identity({ configuration: "other" }),
			identity({ ordinal: 1 }),
			// The same text when run together, not the same parts.
			identity({ edgeId: "ed", routeId: "geroute" }),
			identity({ edgeId: 'edge","x', routeId: "route" }),
			identity({ edgeId: "edge", routeId: 'x","route' }),
		];
		for (const one of all) {
			const limiter = limiters.open(one);
			expect([limiter.admit("key"), limiter.admit("key"), limiter.admit("key")]).toEqual([
				0, 0, 60_000,
			]);
		}
		expect(limiters.statistics()).toEqual({ limiters: 8, live: 8, evicted: 0, full: 0 });
	});

	it("keys are told apart, those that differ only in lone surrogates too", () => {
		const { limiters } = manual();
		const limiter = limiters.open(identity({ capacity: 1 }));
		for (const key of ["", "a", "\ud800", "\ud801", "\ufffd", "a".repeat(100_000)]) {
			expect(limiter.admit(key)).toBe(0);
			expect(limiter.admit(key)).toBe(60_000);
		}
	});

	it("two sets of limiters share nothing", () => {
		expect(
			manual()
				.limiters.open(identity({ capacity: 1 }))
				.admit("key"),
		).toBe(0);
		expect(
			manual()
				.limiters.open(identity({ capacity: 1 }))
				.admit("key"),
		).toBe(0);
	});
});

describe("release", () => {
	it("keeps the count when the successor opens before the old policy is released", () => {
		const { time, limiters } = manual();
		limiters.open(identity({ capacity: 1 })).admit("key");
		for (let replaced = 0; replaced < 5; replaced++) {
			time.now += 1000;
			const successor = limiters.open(identity({ capacity: 1 }));
			limiters.release(identity({ capacity: 1 }));
			expect(successor.admit("key")).toBe(60_000 - 1000 * (replaced + 1));
		}
	});

	it("keeps the count when a deleted policy comes back within the window", () => {
		const { time, limiters } = manual();
		limiters.open(identity({ capacity: 1 })).admit("key");
		limiters.release(identity({ capacity: 1 }));
		time.now += 59_999;
		expect(limiters.open(identity({ capacity: 1 })).admit("key")).toBe(1);
	});

	it("lets go of what expired and is not used, at the next open or release", () => {
		const { time, limiters } = manual();
		for (let i = 0; i < 50; i++) {
			const one = identity({ routeId: `route ${i}` });
			limiters.open(one).admit("key");
			limiters.release(one);
		}
		expect(limiters.statistics()).toMatchObject({ limiters: 50, live: 50 });
		time.now += 59_999;
		limiters.open(identity({ routeId: "kept" })).admit("key");
		expect(limiters.statistics()).toMatchObject({ limiters: 51, live: 51 });
		time.now += 1;
		limiters.open(identity({ routeId: "kept" }));
		expect(limiters.statistics()).toMatchObject({ limiters: 1, live: 1 });
	});

	it("does not let go while requests of the old policy are still admitted", () => {
		const { time, limiters } = manual();
		const old = limiters.open(identity({ capacity: 1 }));
		limiters.release(identity({ capacity: 1 }));
		time.now += 50_000;
		expect(old.admit("key")).toBe(0);
		time.now += 50_000;
		expect(limiters.open(identity({ capacity: 1 })).admit("key")).toBe(10_000);
	});

	it("keeps a limiter while one of several users is left", () => {
		const { time, limiters } = manual();
		const used = limiters.open(identity({ capacity: 1 }));
		limiters.open(identity({ capacity: 1 }));
		limiters.release(identity({ capacity: 1 }));
		time.now += 1_000_000;
		limiters.open(identity({ routeId: "other" }));
		expect(limiters.statistics().limiters).toBe(2);
		expect(used.admit("key")).toBe(0);
		expect(limiters.open(identity({ capacity: 1 })).admit("key")).toBe(60_000);
	});

	it("never lets go of a limiter in use, and survives releases too many", () => {
		const { time, limiters } = manual();
		limiters.release(identity());
		const used = limiters.open(identity({ capacity: 1 }));
		time.now += 1_000_000;
		limiters.open(identity({ routeId: "other" }));
		limiters.release(identity({ routeId: "other" }));
		limiters.release(identity({ routeId: "other" }));
		expect(used.admit("key")).toBe(0);
		expect(limiters.open(identity({ capacity: 1 })).admit("key")).toBe(60_000);
	});
});

describe("bounds", () => {
	it("keeps at most keysMax keys per rate-limit, and one's flood leaves another's keys alone", () => {
		const { limiters } = manual(10);
		const quiet = limiters.open(identity({ routeId: "quiet", capacity: 1 }));
		quiet.admit("key");
		const flooded = limiters.open(identity());
		for (let i = 0; i < 1000; i++) flooded.admit(`key ${i}`);
		expect(limiters.statistics()).toEqual({ limiters: 2, live: 11, evicted: 990, full: 0 });
		expect(quiet.admit("key")).toBe(60_000);
	});

	it("counts newcomers that found every key limited", () => {
		const { limiters } = manual(2);
		const limiter = limiters.open(identity({ capacity: 1 }));
		expect(["a", "b", "c", "d"].map((key) => limiter.admit(key))).toEqual([0, 0, 60_000, 60_000]);
		expect(limiters.statistics()).toEqual({ limiters: 1, live: 2, evicted: 0, full: 2 });
	});

	it("refuses a keysMax that is no count", () => {
		for (const keysMax of [0, -1, 1.5, Number.NaN, LIMITS.keysPerRateLimitMax + 1]) {
			expect(() => createRateLimiters({ keysMax })).toThrow(RangeError);
		}
	});

	it("takes every keys_max that the config file may set", () => {
		const accepted = (keys_max: number) =>
			configSchema.safeParse({ counters: { keys_max } }).success;
		expect(accepted(LIMITS.keysPerRateLimitMax)).toBe(true);
		expect(accepted(LIMITS.keysPerRateLimitMax + 1)).toBe(false);
		createRateLimiters({ keysMax: LIMITS.keysPerRateLimitMax });
	});

	it("uses the boot clock unless told otherwise", () => {
		const limiter = createRateLimiters().open(identity({ capacity: 1 }));
		expect(limiter.admit("key")).toBe(0);
		const wait = limiter.admit("key");
		expect(wait).toBeGreaterThan(0);
		expect(wait).toBeLessThanOrEqual(60_000);
	});
});
