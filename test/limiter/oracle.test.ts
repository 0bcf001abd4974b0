/**
 * Random histories against the definition of the limit. Up to a capacity of 61 every decision and every
 * wait is the sliding log's, over several keys, re-opened limiters, restarts, other boots and collecting;
 * beyond, a window never holds more than the capacity and no rejection comes more than a block early.
 */
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { Counters, type NativeLimiter } from "../../src/limiter/binding.ts";
import { NativeLimiters } from "../../src/limiter/limiters.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { SlidingLog } from "./sliding-log.ts";
import { admitText, clockAt, GRACE_MS, identity, temporaryFolder } from "./support.ts";

const folder = temporaryFolder();
let files = 0;
const START = 1_700_000_000_000;
const BOOT_MS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** stamps of the largest entry, less one: blocks that a window is made of at least */
const BLOCKS = 61;

const windows = fc.oneof(
	fc.constantFrom(MINUTE_MS, DAY_MS),
	fc.integer({ min: MINUTE_MS, max: DAY_MS }),
);

/** A gap, given as a kind and a share of the window, so that it shrinks with neither. */
const gap = fc.record({
	kind: fc.constantFrom("none", "none", "short", "short", "part", "edge"),
	share: fc.nat({ max: 1000 }),
});

function gapMs({ kind, share }: { kind: string; share: number }, windowMs: number): number {
	if (kind === "none") return 0;
	if (kind === "short") return share % 20;
	if (kind === "part") return Math.floor((windowMs * share) / 2000);
	return windowMs - 1 + (share % 3);
}

/** A server with one rate-limit, its file and its clocks, whose time goes on over all that happens to it. */
class Server {
	readonly #path = join(folder, `counters-${files++}`);
	readonly #identity;
	#nowMs = START;
	#bootMs = BOOT_MS;
	#boot = 1;
	#touchedMs = START;
	#counters = this.#openCounters(START);
	#limiters = new NativeLimiters({ counters: this.#counters, keysMax: 64 });
	#limiter;

	constructor(capacity: number, windowMs: number) {
		this.#identity = identity({ capacity, windowMs });
		this.#limiter = this.#limiters.open(this.#identity);
	}

	get nowMs(): number {
		return this.#nowMs;
	}

	admit(key: string): number {
		return admitText(this.#limiter, key);
	}

	/** Touched as often as the contract with the collector has it. */
	advance(ms: number): void {
		if (this.#nowMs + ms - this.#touchedMs >= LIMITS.limiterTouchMs) {
			this.#limiters.touch();
			this.#touchedMs = this.#nowMs;
		}
		this.#nowMs += ms;
		this.#bootMs += ms;
		this.#counters.setClock(this.#bootMs);
	}

	collect(): void {
		while (!this.#counters.collect(1000)) {}
	}

	/** As a re-PUT does it. */
	reopen(): void {
		this.#limiter = this.#limiters.open(this.#identity);
		this.#limiters.release(this.#identity);
	}

	restart(): void {
		this.#counters.close();
		this.#start(this.#nowMs);
	}

	/** Down for so long by the wall clock, which may have been put back; time does not go back. */
	reboot(downMs: number, bootMs: number): void {
		this.#counters.close();
		const wallMs = this.#nowMs + downMs;
		this.#nowMs = Math.max(this.#nowMs, wallMs);
		this.#boot += 1;
		this.#bootMs = bootMs;
		this.#start(wallMs);
	}

	close(): void {
		this.#counters.close();
	}

	#start(wallMs: number): void {
		this.#counters = this.#openCounters(wallMs);
		this.#limiters = new NativeLimiters({ counters: this.#counters, keysMax: 64 });
		this.#limiter = this.#limiters.open(this.#identity);
		this.#touchedMs = this.#nowMs;
	}

	#openCounters(wallMs: number): Counters {
		return new Counters({
			path: this.#path,
			owner: true,
			bytesMax: 1 << 24,
			clock: clockAt(this.#bootMs, this.#boot, wallMs),
		});
	}
}

const KEYS = ["", "a", "b", "a long one"] as const;

const step = fc.record({
	gap,
	key: fc.constantFrom(...KEYS),
	requests: fc.integer({ min: 1, max: 20 }),
	event: fc.oneof(
		{ weight: 12, arbitrary: fc.constant("nothing" as const) },
		{ weight: 2, arbitrary: fc.constantFrom("reopen" as const, "collect" as const) },
		{ weight: 2, arbitrary: fc.constantFrom("restart" as const, "reboot" as const) },
	),
	/** of a reboot, as a share of the window; below 0 the wall clock was put back */
	down: fc.integer({ min: -1000, max: 1000 }),
	bootMs: fc.integer({ min: 0, max: 1_000_000 }),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const histories = (capacity: fc.Arbitrary<number>) =>
	fc.record({
		capacity,
		windowMs: windows,
		steps: fc.array(step, { maxLength: 60, size: "max" }),
	});

/** Time goes on, and what else may happen to a server happens to it. */
function happen(server: Server, { gap: pause, event, down, bootMs }: Step, windowMs: number): void {
	server.advance(gapMs(pause, windowMs));
	if (event === "reopen") server.reopen();
	if (event === "collect") server.collect();
	if (event === "restart") server.restart();
	if (event === "reboot") server.reboot(Math.floor((windowMs * down) / 500), bootMs);
}

describe("a capacity that fits an entry", () => {
	const exact = fc.oneof(
		fc.constantFrom(1, 5, 6, 13, 14, 29, 30, BLOCKS),
		fc.integer({ min: 1, max: BLOCKS }),
	);

	it("is decided about as by the sliding log, whatever happens in between", () => {
		const seen = { admitted: 0, rejected: 0 };
		fc.assert(
			fc.property(histories(exact), ({ capacity, windowMs, steps }) => {
				const server = new Server(capacity, windowMs);
				const logs = new Map(KEYS.map((key) => [key, new SlidingLog(capacity, windowMs)]));
				try {
					for (const [index, one] of steps.entries()) {
						happen(server, one, windowMs);
						for (let request = 0; request < one.requests; request++) {
							const wait = server.admit(one.key);
							expect(wait, `step ${index}`).toBe(logs.get(one.key)?.admit(server.nowMs));
							seen[wait === 0 ? "admitted" : "rejected"] += 1;
						}
					}
				} finally {
					server.close();
				}
			}),
			{ numRuns: 150 },
		);
		expect(seen.admitted).toBeGreaterThan(1000);
		expect(seen.rejected).toBeGreaterThan(1000);
	});
});

/** Admissions as they were counted; those of one millisecond are one run. */
class Admissions {
	readonly #runs: { readonly stamp: number; count: number }[] = [];

	add(stamp: number): void {
		const newest = this.#runs.at(-1);
		if (newest?.stamp === stamp) newest.count += 1;
		else this.#runs.push({ stamp, count: 1 });
	}

	/** how many are younger than the window */
	young(nowMs: number, windowMs: number): number {
		let sum = 0;
		for (let index = this.#runs.length - 1; index >= 0; index--) {
			const run = this.#runs[index];
			if (run === undefined || nowMs - run.stamp >= windowMs) break;
			sum += run.count;
		}
		return sum;
	}
}

describe("a capacity of any size", () => {
	const any = fc.oneof(
		{ weight: 2, arbitrary: fc.integer({ min: 1, max: BLOCKS + 1 }) },
		{ weight: 8, arbitrary: fc.integer({ min: BLOCKS + 1, max: 2000 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 2000, max: 40_000 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 40_000, max: LIMITS.capacityMax }) },
		{ weight: 1, arbitrary: fc.constant(LIMITS.capacityMax) },
	);
	const REQUESTS_MAX = 20_000;

	it("is never exceeded in any window, and hardly fallen short of; waits are exact", () => {
		const seen = { rejected: 0, early: 0, full: 0 };
		fc.assert(
			fc.property(histories(any), ({ capacity, windowMs, steps }) => {
				const server = new Server(capacity, windowMs);
				const admissions = new Admissions();
				const block = Math.ceil(capacity / BLOCKS);
				const young = () => admissions.young(server.nowMs, windowMs);
				try {
					for (const [index, one] of steps.entries()) {
						happen(server, one, windowMs);
						const requests = Math.min(Math.ceil((capacity * one.requests) / 20), REQUESTS_MAX);
						let wait = 0;
						for (let request = 0; request < requests && wait === 0; request++) {
							wait = server.admit("key");
							if (wait === 0) admissions.add(server.nowMs);
						}
						// An admission is the newest in its window: if none has too many here, none has.
						expect(young(), `step ${index}`).toBeLessThanOrEqual(capacity);
						if (young() === capacity) seen.full += 1;
						if (wait === 0) continue;
						seen.rejected += 1;
						if (young() < capacity) seen.early += 1;
						expect(young(), `step ${index}`).toBeGreaterThanOrEqual(capacity - block + 1);
						expect(wait).toBeGreaterThanOrEqual(1);
						expect(wait).toBeLessThanOrEqual(windowMs);
						if (one.down % 2 === 0) continue;
						server.advance(wait - 1);
						expect(server.admit("key"), `a millisecond less, step ${index}`).toBe(1);
						server.advance(1);
						expect(server.admit("key"), `that long, step ${index}`).toBe(0);
						admissions.add(server.nowMs);
						expect(young(), `step ${index}`).toBeLessThanOrEqual(capacity);
					}
				} finally {
					server.close();
				}
			}),
			{ numRuns: 150 },
		);
		// The histories reach what they are about.
		expect(seen.rejected).toBeGreaterThan(300);
		expect(seen.early).toBeGreaterThan(20);
		expect(seen.full).toBeGreaterThan(20);
	});
});

describe("time", () => {
	const open = (counters: Counters): NativeLimiter => {
		const limiter = counters.open("name", 1, MINUTE_MS, 8);
		if (limiter === undefined) throw new Error("no room");
		return limiter;
	};
	let opened: Counters | undefined;
	const start = (path: string, bootMs: number, boot: number, wallMs: number): NativeLimiter => {
		opened?.close();
		opened = new Counters({ path, owner: true, clock: clockAt(bootMs, boot, wallMs) });
		return open(opened);
	};
	afterEach(() => {
		opened?.close();
		opened = undefined;
	});

	it("goes on by the boot clock over a restart, whatever the wall clock says", () => {
		const path = join(folder, "restart");
		expect(admitText(start(path, 5000, 1, START), "key")).toBe(0);
		expect(admitText(start(path, 6000, 1, START + DAY_MS), "key")).toBe(MINUTE_MS - 1000);
		expect(admitText(start(path, 7000, 1, START - DAY_MS), "key")).toBe(MINUTE_MS - 2000);
	});

	it("goes on by the wall clock over a boot", () => {
		const path = join(folder, "boot");
		expect(admitText(start(path, 50_000, 1, START), "key")).toBe(0);
		expect(admitText(start(path, 10, 2, START + 20_000), "key")).toBe(MINUTE_MS - 20_000);
		expect(admitText(start(path, 99_999_999, 3, START + 59_999), "key")).toBe(1);
		expect(admitText(start(path, 0, 4, START + 60_000), "key")).toBe(0);
	});

	it("does not go back with the wall clock: nothing is admitted too early, nothing is stuck", () => {
		const path = join(folder, "back");
		expect(admitText(start(path, 50_000, 1, START), "key")).toBe(0);
		const limiter = start(path, 10, 2, START - 10 * DAY_MS);
		expect(admitText(limiter, "key")).toBe(MINUTE_MS);
		opened?.setClock(10 + MINUTE_MS - 1);
		expect(admitText(limiter, "key")).toBe(1);
		opened?.setClock(10 + MINUTE_MS);
		expect(admitText(limiter, "key")).toBe(0);
	});

	it("that reads earlier than an admission makes it wait no longer than the window", () => {
		const path = join(folder, "early");
		const limiter = start(path, 50_000, 1, START);
		expect(admitText(limiter, "key")).toBe(0);
		opened?.setClock(40_000);
		expect(admitText(limiter, "key")).toBe(MINUTE_MS);
		opened?.setClock(50_000 + MINUTE_MS);
		expect(admitText(limiter, "key")).toBe(0);
	});

	it("a restart long after the window finds nothing left", () => {
		const path = join(folder, "long after");
		expect(admitText(start(path, 50_000, 1, START), "key")).toBe(0);
		start(path, 10, 2, START + MINUTE_MS + GRACE_MS);
		expect(opened?.statistics()).toMatchObject({ limiters: 1, live: 0 });
	});
});
