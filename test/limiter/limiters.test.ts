/**
 * Identity and life of a limiter: whose counts are whose, what survives a re-PUT, when its space is given
 * back, what happens where there is none. The window itself is proven by the shared suite.
 */
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { configSchema } from "../../src/config.ts";
import { Counters, type CountersOptions } from "../../src/limiter/binding.ts";
import { NativeLimiters, type RateLimiterOptions } from "../../src/limiter/limiters.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { describeExactAdmission } from "./admission-suite.ts";
import {
	admitText,
	clockAt,
	GRACE_MS,
	identity,
	SEGMENT_BYTES,
	temporaryFolder,
} from "./support.ts";

const folder = temporaryFolder();
const START = 1_000_000;
const WINDOW_MS = 60_000;
const one = identity({ capacity: 1 });

/** Counters under a clock that moves only when told to. */
class Moment {
	#nowMs = START;
	readonly counters: Counters;

	constructor(options: CountersOptions = {}) {
		this.counters = new Counters({ clock: clockAt(START), ...options });
	}

	limiters(options: Partial<RateLimiterOptions> = {}): NativeLimiters {
		return new NativeLimiters({ counters: this.counters, keysMax: 96, ...options });
	}

	advance(ms: number): void {
		this.#nowMs += ms;
		this.counters.setClock(this.#nowMs);
	}

	/** To the end, in slices. */
	collect(): void {
		while (!this.counters.collect(100)) {}
	}
}

/** From the smallest entry to the largest, and those that just fit. */
for (const capacities of [
	[1, 5],
	[6, 13],
	[14, 29],
	[30, 61],
] as const) {
	const moment = new Moment({ clock: clockAt(0) });
	const limiters = moment.limiters({ keysMax: 1 });
	let ordinal = 0;
	describeExactAdmission(
		"NativeLimiters",
		(capacity, windowMs) => {
			const limiter = limiters.open(identity({ capacity, windowMs, ordinal: ordinal++ }));
			return (now) => {
				moment.counters.setClock(now);
				return admitText(limiter, "key");
			};
		},
		capacities,
	);
}

describe("identity", () => {
	it("an equal identity has the same counts, whatever object names it", () => {
		const limiters = new Moment().limiters();
		expect(admitText(limiters.open(identity()), "key")).toBe(0);
		expect(admitText(limiters.open(identity()), "key")).toBe(0);
		expect(admitText(limiters.open(identity()), "key")).toBe(WINDOW_MS);
	});

	it("any part that differs has counts of its own", () => {
		const moment = new Moment();
		const limiters = moment.limiters();
		const all = [
			identity(),
			identity({ edgeId: "edge2" }),
			identity({ routeId: "route2" }),
			identity({ configuration: "other" }),
			identity({ ordinal: 1 }),
			identity({ windowMs: WINDOW_MS + 1 }),
			// The same text when run together, not the same parts.
			identity({ edgeId: "ed", routeId: "geroute" }),
			identity({ edgeId: 'edge","x', routeId: "route" }),
			identity({ edgeId: "edge", routeId: 'x","route' }),
			identity({ edgeId: "\ud800" }),
			identity({ edgeId: "\udfff" }),
			identity({ edgeId: "\ufffd" }),
			identity({ edgeId: "edge\0" }),
		];
		for (const part of all) {
			const limiter = limiters.open(part);
			const waits = [1, 2, 3].map(() => admitText(limiter, "key"));
			expect(waits, JSON.stringify(part)).toEqual([0, 0, part.windowMs]);
		}
		const { length } = all;
		expect(limiters.size).toBe(length);
		expect(moment.counters.statistics()).toMatchObject({ limiters: length, live: length });
	});

	it("another capacity begins anew, the old one keeps its counts", () => {
		const limiters = new Moment().limiters();
		expect(admitText(limiters.open(one), "key")).toBe(0);
		expect(admitText(limiters.open(identity({ capacity: 2 })), "key")).toBe(0);
		expect(admitText(limiters.open(identity({ capacity: 2 })), "key")).toBe(0);
		expect(admitText(limiters.open(one), "key")).toBe(WINDOW_MS);
	});

	it("limiters of other counters share nothing", () => {
		expect(admitText(new Moment().limiters().open(one), "key")).toBe(0);
		expect(admitText(new Moment().limiters().open(one), "key")).toBe(0);
	});
});

describe("release", () => {
	it("keeps the count when the successor opens before the old policy is released", () => {
		const moment = new Moment();
		const limiters = moment.limiters();
		admitText(limiters.open(one), "key");
		for (let replaced = 1; replaced <= 5; replaced++) {
			moment.advance(1000);
			const successor = limiters.open(one);
			limiters.release(one);
			expect(admitText(successor, "key")).toBe(WINDOW_MS - 1000 * replaced);
		}
		expect(limiters.size).toBe(1);
	});

	it("leaves it to requests of the old policy until the third round, then closes it", () => {
		const limiters = new Moment().limiters();
		const old = limiters.open(identity());
		limiters.release(identity());
		limiters.touch();
		expect(admitText(old, "key")).toBe(0);
		limiters.touch();
		expect(admitText(old, "key")).toBe(0);
		expect(limiters.size).toBe(1);
		limiters.touch();
		expect(limiters.size).toBe(0);
		expect(() => admitText(old, "key")).toThrow(TypeError);
		expect(admitText(limiters.open(identity()), "key"), "the counts are there").toBe(WINDOW_MS);
	});

	it("begins to count rounds again when it was used in between", () => {
		const limiters = new Moment().limiters();
		limiters.open(one);
		for (let round = 0; round < 5; round++) {
			limiters.release(one);
			limiters.touch();
			limiters.touch();
			expect(limiters.size).toBe(1);
			limiters.open(one);
			limiters.touch();
			limiters.touch();
			limiters.touch();
			expect(limiters.size).toBe(1);
		}
	});

	it("keeps a limiter while one of several users is left, and survives releases too many", () => {
		const limiters = new Moment().limiters();
		limiters.release(one);
		const used = limiters.open(one);
		limiters.open(one);
		limiters.release(one);
		for (let round = 0; round < 10; round++) limiters.touch();
		expect(admitText(used, "key")).toBe(0);
		limiters.release(one);
		limiters.release(one);
		limiters.release(one);
		limiters.open(one);
		for (let round = 0; round < 10; round++) limiters.touch();
		expect(limiters.size, "the releases too many took no user away").toBe(1);
		expect(admitText(used, "key")).toBe(WINDOW_MS);
	});
});

describe("collecting", () => {
	const released = (moment: Moment) => {
		const limiters = moment.limiters();
		admitText(limiters.open(one), "key");
		limiters.release(one);
		for (let round = 0; round < 3; round++) limiters.touch();
		return limiters;
	};

	it("keeps the counts of a deleted policy that comes back within the window", () => {
		const moment = new Moment();
		const limiters = released(moment);
		expect(limiters.size).toBe(0);
		moment.advance(WINDOW_MS - 1);
		moment.collect();
		expect(admitText(limiters.open(one), "key")).toBe(1);
	});

	it("gives the space back a window and two minutes after the last touch", () => {
		const moment = new Moment();
		released(moment);
		moment.advance(WINDOW_MS + GRACE_MS - 1);
		moment.collect();
		expect(moment.counters.statistics()).toMatchObject({ limiters: 1, live: 1 });
		moment.advance(1);
		moment.collect();
		expect(moment.counters.statistics()).toMatchObject({ limiters: 0, live: 0, evicted: 0 });
	});

	it("uses the space again: policies that come and go don't make the counters grow", () => {
		const moment = new Moment();
		const limiters = moment.limiters();
		for (let generation = 0; generation < 20; generation++) {
			for (let ordinal = 0; ordinal < 100; ordinal++) {
				const part = identity({ ordinal, configuration: `generation ${generation}` });
				const limiter = limiters.open(part);
				for (const key of ["a", "b", "c"]) expect(admitText(limiter, key)).toBe(0);
				limiters.release(part);
			}
			expect(moment.counters.statistics()).toMatchObject({ limiters: 100, live: 300 });
			for (let round = 0; round < 3; round++) limiters.touch();
			moment.advance(WINDOW_MS + GRACE_MS);
			moment.collect();
		}
		expect(moment.counters.statistics()).toMatchObject({ limiters: 0, bytes: SEGMENT_BYTES });
	});

	it("uses all pages of a large one again, whatever record the next one has", () => {
		const moment = new Moment();
		const limiters = moment.limiters({ keysMax: 10_000 });
		const sizes: number[] = [];
		for (let generation = 0; generation < 10; generation++) {
			const part = identity({ capacity: 61, configuration: `generation ${generation}` });
			const limiter = limiters.open(part);
			for (let key = 0; key < 5000; key++) admitText(limiter, `key ${key}`);
			limiters.release(part);
			for (let round = 0; round < 3; round++) limiters.touch();
			sizes.push(moment.counters.statistics().bytes);
			moment.advance(WINDOW_MS + GRACE_MS);
			moment.collect();
		}
		expect(sizes[0]).toBeGreaterThan(SEGMENT_BYTES);
		expect(sizes.at(-1), String(sizes)).toBeLessThanOrEqual((sizes[0] ?? 0) + SEGMENT_BYTES);
	});

	it("never takes what somebody touches, used or not", () => {
		const moment = new Moment();
		const limiters = moment.limiters();
		const limiter = limiters.open(one);
		for (let round = 0; round < 500; round++) {
			moment.advance(LIMITS.limiterTouchMs);
			limiters.touch();
			moment.collect();
		}
		expect(moment.counters.statistics().limiters).toBe(1);
		expect(admitText(limiter, "key")).toBe(0);
		expect(admitText(limiters.open(one), "key")).toBe(WINDOW_MS);
	});

	it("takes nothing that is touched in parts, a part at a time", () => {
		const moment = new Moment();
		const limiters = moment.limiters();
		for (let ordinal = 0; ordinal < 50; ordinal++) limiters.open(identity({ ordinal }));
		const parts = 30;
		for (let tick = 0; tick < 20 * parts; tick++) {
			limiters.touch(tick % parts, parts);
			moment.advance(LIMITS.limiterTouchMs / parts);
			moment.collect();
			expect(moment.counters.statistics().limiters).toBe(50);
		}
		// Rounds are counted, not parts.
		for (let ordinal = 0; ordinal < 50; ordinal++) limiters.release(identity({ ordinal }));
		for (let tick = 0; tick < 2 * parts; tick++) limiters.touch(tick % parts, parts);
		expect(limiters.size).toBe(50);
		limiters.touch(0, parts);
		expect(limiters.size).toBe(0);
	});

	it("never takes what another worker touches, and that one goes on when its was taken", () => {
		const path = join(folder, "touched by another");
		const supervisor = new Moment({ path, owner: true });
		const worker = new Moment({ path });
		const advance = (ms: number) => {
			for (const moment of [supervisor, worker]) moment.advance(ms);
		};
		const limiters = worker.limiters();
		const limiter = limiters.open(one);
		for (let round = 0; round < 20; round++) {
			advance(LIMITS.limiterTouchMs);
			limiters.touch();
			supervisor.collect();
			expect(supervisor.counters.statistics().limiters).toBe(1);
		}
		admitText(limiter, "key");
		advance(WINDOW_MS + GRACE_MS - 1);
		supervisor.collect();
		expect(supervisor.counters.statistics()).toMatchObject({ limiters: 1, live: 1 });
		// It was stopped for so long that its limiter was collected: a new one is made.
		advance(1);
		supervisor.collect();
		expect(supervisor.counters.statistics()).toMatchObject({ limiters: 0, live: 0 });
		expect(admitText(limiter, "key")).toBe(0);
		expect(admitText(limiter, "key")).toBe(WINDOW_MS);
		expect(supervisor.counters.statistics()).toMatchObject({ limiters: 1, live: 1 });
		worker.counters.close();
		supervisor.counters.close();
	});

	it("is done by one of all who have the file open, and by the next when that one leaves", () => {
		const path = join(folder, "one collects");
		const [first, second] = [new Moment({ path, owner: true }), new Moment({ path })];
		released(first);
		for (const moment of [first, second]) moment.advance(WINDOW_MS + GRACE_MS);
		second.collect();
		expect(second.counters.statistics().limiters).toBe(1);
		first.counters.close();
		second.collect();
		expect(second.counters.statistics().limiters).toBe(0);
		second.counters.close();
	});
});

describe("without room", () => {
	it("counts in memory of its own, says so once, and comes back when there is room", () => {
		const moment = new Moment({ bytesMax: SEGMENT_BYTES });
		const onNoRoom = vi.fn();
		const limiters = moment.limiters({ onNoRoom });
		const parts = Array.from({ length: 3000 }, (_, ordinal) =>
			identity({ ordinal, windowMs: 86_400_000 }),
		);
		const opened = parts.map((part) => limiters.open(part));
		expect(onNoRoom).toHaveBeenCalledTimes(1);
		const { limiters: inFile } = moment.counters.statistics();
		const { growthError } = moment.counters;
		expect(inFile).toBeGreaterThan(200);
		expect(inFile).toBeLessThan(512);
		expect(growthError).not.toBe(0);
		for (const round of [0, 1, 2]) {
			for (const limiter of opened) {
				const wait = admitText(limiter, "key");
				expect(wait === 0, `round ${round}`).toBe(round < 2);
			}
		}
		// What did not fit counts on where it is while it is in use.
		for (const part of parts) expect(admitText(limiters.open(part), "key")).toBeGreaterThan(0);
		expect(moment.counters.statistics()).toMatchObject({ limiters: inFile, bytes: SEGMENT_BYTES });

		for (const part of [...parts, ...parts]) limiters.release(part);
		for (let round = 0; round < 3; round++) limiters.touch();
		expect(limiters.size).toBe(0);
		moment.advance(2 * 86_400_000);
		moment.collect();
		expect(moment.counters.statistics().limiters).toBe(0);
		for (const part of parts.slice(0, 100)) limiters.open(part);
		expect(moment.counters.statistics().limiters).toBe(100);
		expect(onNoRoom).toHaveBeenCalledTimes(1);
	});
});

describe("bounds", () => {
	it("refuses a keysMax that is no count", () => {
		const { counters } = new Moment();
		for (const keysMax of [0, -1, 1.5, Number.NaN, LIMITS.keysPerRateLimitMax + 1]) {
			expect(() => new NativeLimiters({ counters, keysMax })).toThrow(RangeError);
		}
	});

	it("takes every keys_max that the config file may set", () => {
		const accepted = (keys_max: number) =>
			configSchema.safeParse({ counters: { keys_max } }).success;
		expect(accepted(LIMITS.keysPerRateLimitMax)).toBe(true);
		expect(accepted(LIMITS.keysPerRateLimitMax + 1)).toBe(false);
		const limiters = new Moment().limiters({ keysMax: LIMITS.keysPerRateLimitMax });
		expect(admitText(limiters.open(one), "key")).toBe(0);
	});

	it("takes every capacity and rate of the contract", () => {
		const limiters = new Moment().limiters();
		for (const capacity of [LIMITS.capacityMin, 61, 62, LIMITS.capacityMax]) {
			for (const windowMs of [LIMITS.rateMinMs, LIMITS.rateMaxMs]) {
				const limiter = limiters.open(identity({ capacity, windowMs }));
				for (let i = 0; i < Math.min(capacity, 100); i++) {
					expect(admitText(limiter, "key")).toBe(0);
				}
				if (capacity < 100) expect(admitText(limiter, "key")).toBe(windowMs);
			}
		}
	});

	it("goes by the clock of the machine unless told otherwise", () => {
		const counters = new Counters({});
		const limiter = new NativeLimiters({ counters }).open(one);
		expect(admitText(limiter, "key")).toBe(0);
		const wait = admitText(limiter, "key");
		expect(wait).toBeGreaterThan(0);
		expect(wait).toBeLessThanOrEqual(WINDOW_MS);
		counters.close();
	});
});
