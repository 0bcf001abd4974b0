/** Who stands still is told from who is busy or starved, whatever the clock on the wall says. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Heartbeat, type Verdict } from "../../../src/process/supervisor/heartbeat.ts";
import type { ProcessSample } from "../../../src/process/supervisor/process-sample.ts";

const SECOND = LIMITS.heartbeatMs;

/** Verdicts of one look a second at a worker that was last heard of at 0. */
function silence(
	seconds: number,
	look: (second: number) => ProcessSample | undefined,
	busyMs: number = LIMITS.workerBusyMs,
): Verdict[] {
	const heartbeat = new Heartbeat(0);
	return Array.from({ length: seconds }, (_, n) =>
		heartbeat.judge((n + 1) * SECOND, () => look(n + 1), busyMs),
	);
}

/** The second in which it is replaced. */
const end = (verdicts: readonly Verdict[], verdict: Verdict): number =>
	verdicts.indexOf(verdict) + 1;

describe("a silent worker", () => {
	it.each(["T", "t", "S"])("in state %s that uses no processor is replaced after 5 s", (state) => {
		const verdicts = silence(6, () => ({ state, cpuMs: 700 }));
		expect(verdicts.slice(0, 4)).toEqual(Array(4).fill("alive"));
		expect(end(verdicts, "still")).toBe(5);
	});

	it("that is busy for 8 s is left alone, also while its threads work for it", () => {
		for (const state of ["R", "S"]) {
			const verdicts = silence(8, (second) => ({ state, cpuMs: second * SECOND }));
			expect(new Set(verdicts)).toEqual(new Set(["alive"]));
		}
	});

	it("that is busy with a twentieth of a processor has twenty times as long", () => {
		const verdicts = silence(700, (second) => ({ state: "R", cpuMs: second * 50 }));
		// From the first look, at 2 s.
		expect(end(verdicts, "endless")).toBe(2 + (20 * LIMITS.workerBusyMs) / SECOND);
	});

	it("that goes round in circles is replaced, later while it loads", () => {
		const look = (second: number) => ({ state: "R", cpuMs: second * SECOND });
		expect(end(silence(400, look), "endless")).toBe(2 + LIMITS.workerBusyMs / SECOND);
		const loading = silence(400, look, LIMITS.workerLoadingMs);
		expect(end(loading, "endless")).toBe(2 + LIMITS.workerLoadingMs / SECOND);
	});

	it.each(["R", "D", "Z"])("in state %s that gets no processor is left alone", (state) => {
		const verdicts = silence(3600, () => ({ state, cpuMs: 700 }));
		expect(new Set(verdicts)).toEqual(new Set(["alive"]));
	});

	it("that now and then gets something done is left alone", () => {
		const verdicts = silence(60, (second) => ({
			state: "S",
			cpuMs: Math.floor(second / 2) * 10,
		}));
		expect(new Set(verdicts)).toEqual(new Set(["alive"]));
	});

	it("that was busy and then stops is replaced once it has done nothing for a while", () => {
		const verdicts = silence(20, (second) => ({ state: "S", cpuMs: Math.min(second, 8) * 900 }));
		expect(end(verdicts, "still")).toBe(11);
	});

	it("of which nothing is known is replaced after a minute", () => {
		expect(
			end(
				silence(70, () => undefined),
				"still",
			),
		).toBe(60);
	});
});

describe("a sign of life", () => {
	it("ends a silence, and what was used in it", () => {
		const heartbeat = new Heartbeat(0);
		const judge = (nowMs: number, cpuMs: number) =>
			heartbeat.judge(nowMs, () => ({ state: "R", cpuMs }), 10_000);
		expect(judge(2000, 2000)).toBe("alive");
		expect(judge(9000, 9000)).toBe("alive");
		heartbeat.heard(9500);
		expect(judge(12_000, 12_500)).toBe("alive");
		expect(judge(22_000, 22_400)).toBe("alive");
		expect(judge(23_000, 22_500)).toBe("endless");
	});

	it("that is late is noticed before anything is done about it", () => {
		const heartbeat = new Heartbeat(1000);
		expect(heartbeat.isLate(1000 + LIMITS.workerLateMs - 1)).toBe(false);
		expect(heartbeat.isLate(1000 + LIMITS.workerLateMs)).toBe(true);
		heartbeat.heard(1000 + LIMITS.workerLateMs);
		expect(heartbeat.isLate(1000 + LIMITS.workerLateMs)).toBe(false);
	});

	it("that comes in time needs no look at the process", () => {
		const heartbeat = new Heartbeat(0);
		for (let nowMs = 0; nowMs < 10_000; nowMs += 1000) {
			heartbeat.heard(nowMs);
			const look = () => {
				throw new Error("looked");
			};
			expect(heartbeat.judge(nowMs + 999, look, 1)).toBe("alive");
		}
	});
});
