/** With a clock of its own: every sleep moves it on. */
import { expect, it } from "vitest";
import { Draining } from "../../src/edge/draining.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";

interface Work {
	inFlight: number;
	tunnels?: number;
	beginning: number;
}

/** @param at what happens to the work, by the millisecond at which a sleep ends */
function drainingOf(work: Work, at: (nowMs: number) => void = () => {}) {
	let nowMs = 0;
	let wake: () => void = () => {};
	const warned: object[] = [];
	const metrics = new Metrics();
	const draining = new Draining({
		services: {
			get inFlight() {
				return work.inFlight;
			},
			idle: () =>
				work.inFlight === 0 ? Promise.resolve() : new Promise<void>((resolve) => (wake = resolve)),
		},
		tunnels: {
			get open() {
				return work.tunnels ?? 0;
			},
			none: () =>
				(work.tunnels ?? 0) === 0
					? Promise.resolve()
					: new Promise<void>((resolve) => (wake = resolve)),
		},
		front: work,
		metrics,
		log: { warn: (fields) => warned.push(fields) },
		now: () => nowMs,
		sleep: async (milliseconds) => {
			await new Promise((resolve) => setImmediate(resolve));
			nowMs += milliseconds;
			at(nowMs);
			if (work.inFlight === 0 && (work.tunnels ?? 0) === 0) wake();
		},
	});
	return { draining, warned, metrics, now: () => nowMs };
}

it("ends soon where nothing is in flight", async () => {
	const { draining, warned, now } = drainingOf({ inFlight: 0, beginning: 0 });
	await draining.wait(0);
	expect([now(), warned]).toEqual([100, []]);
});

it("waits for a tunnel as for a request, and does not call it a request that was cut", async () => {
	const work = { inFlight: 0, tunnels: 1, beginning: 0 };
	const { draining, warned, now } = drainingOf(work, (nowMs) => {
		if (nowMs >= 5000) work.tunnels = 0;
	});
	await draining.wait(5000);
	expect([now(), warned]).toEqual([5000, []]);
});

it("waits for a client that has connected and not asked, for a while", async () => {
	const { draining, warned, now } = drainingOf({ inFlight: 0, beginning: 1 });
	await draining.wait(0);
	expect(now()).toBeGreaterThanOrEqual(LIMITS.drainFreshMs);
	expect(now()).toBeLessThan(LIMITS.drainFreshMs + 200);
	expect(warned).toEqual([]);
});

it("waits for a request that began while it was about to end", async () => {
	const work = { inFlight: 0, beginning: 0 };
	let looks = 0;
	const { draining, now, warned } = drainingOf(work, () => {
		looks++;
		work.inFlight = looks === 1 ? 1 : 0;
	});
	const waited = draining.wait(0);
	while (work.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
	expect(now()).toBe(100);
	draining.hurry();
	await waited;
	expect(warned).toEqual([{ requests: 1 }]);
});

it("cuts what takes longer than it may, counted and logged", async () => {
	const { draining, warned, metrics, now } = drainingOf({ inFlight: 3, beginning: 0 });
	await draining.wait(500);
	expect([now(), warned]).toEqual([500, [{ requests: 3 }]]);
	expect(metrics.snapshot()).toMatchObject({ weir_drain_cut_total: 3 });
});

it("without a bound it ends when it is hurried", async () => {
	const { draining, warned } = drainingOf({ inFlight: 1, beginning: 0 });
	const waited = draining.wait(0);
	draining.hurry();
	await waited;
	expect(warned).toEqual([{ requests: 1 }]);
});
