/** The deadline of an evaluation is one of work, seen from inside and from outside. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { WorkClock, WorkWatch } from "../../src/threads/work-watch.ts";

/** both clocks as the tests set them */
const time = vi.hoisted(() => ({ clockMs: 0, workMs: 0, isKnown: true }));
vi.mock("../../src/threads/thread-time.ts", () => ({
	ownThread: () => 7,
	ownWorkMs: () => (time.isKnown ? time.workMs : Number.NaN),
	workMsOf: (thread: number) => (time.isKnown && thread === 7 ? time.workMs : Number.NaN),
	sharedClockMs: () => time.clockMs,
}));

const DEADLINE_MS = 100;

let watch: WorkWatch;
let clock: WorkClock;
beforeEach(() => {
	Object.assign(time, { clockMs: 5000, workMs: 800, isKnown: true });
	watch = new WorkWatch(DEADLINE_MS);
	clock = new WorkClock(watch.watched);
});

/** Both go on; work as far as the thread had a processor. */
const pass = (milliseconds: number, share: number): void => {
	time.clockMs += milliseconds;
	time.workMs += milliseconds * share;
};

describe("with a processor of its own", () => {
	test("it may go on until its deadline", () => {
		const goesOn = clock.begin();
		pass(99, 1);
		expect(goesOn()).toBe(true);
		pass(2, 1);
		expect(goesOn()).toBe(false);
	});

	test("from outside it has a little longer, so that it ends by itself first", () => {
		clock.begin();
		pass(110, 1);
		expect(watch.leftMs()).toBeGreaterThan(0);
		pass(100, 1);
		expect(watch.leftMs()).toBeLessThanOrEqual(0);
	});
});

describe("on a machine with too much to do", () => {
	test("work counts, not time", () => {
		const goesOn = clock.begin();
		for (let tenth = 0; tenth < 10; tenth++) {
			expect(goesOn()).toBe(true);
			expect(watch.leftMs()).toBeGreaterThan(0);
			pass(99, 0.1);
		}
		pass(600, 0.1);
		expect(goesOn()).toBe(false);
		expect(watch.leftMs()).toBeLessThanOrEqual(0);
	});

	test("but nothing stands still for ever", () => {
		const goesOn = clock.begin();
		pass(DEADLINE_MS * LIMITS.heavyStarvedTimes, 0);
		expect(goesOn()).toBe(true);
		expect(watch.leftMs()).toBeGreaterThan(0);
		pass(DEADLINE_MS * LIMITS.heavyStarvedTimes, 0);
		expect(goesOn()).toBe(false);
		expect(watch.leftMs()).toBeLessThanOrEqual(0);
	});
});

test("before it begins, and after it has ended, nothing counts", () => {
	pass(10_000, 1);
	expect(watch.leftMs()).toBeGreaterThan(0);
	clock.begin();
	clock.end();
	pass(10_000, 1);
	expect(watch.leftMs()).toBeGreaterThan(0);
});

test("where the system does not tell the work, a part of the time stands for it", () => {
	time.isKnown = false;
	const goesOn = clock.begin();
	pass(400, 1);
	expect(goesOn()).toBe(true);
	expect(watch.leftMs()).toBeGreaterThan(0);
	pass(400, 1);
	expect(goesOn()).toBe(false);
	expect(watch.leftMs()).toBeLessThanOrEqual(0);
});
