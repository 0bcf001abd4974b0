import { expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { RespawnDelay, Respawns } from "../../../src/process/supervisor/respawn.ts";

it("restarts at once, then with doubled delays up to the bound, and forgives after a long life", () => {
	const delay = new RespawnDelay();
	const young = Array.from({ length: 10 }, () => delay.next(0));
	expect(young).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
	expect(delay.next(LIMITS.respawnStableMs)).toBe(0);
	expect(delay.next(LIMITS.respawnStableMs - 1)).toBe(100);
});

it("starts each worker again after its own delay, unless that is called off", () => {
	vi.useFakeTimers();
	try {
		const started: number[] = [];
		const respawns = new Respawns((index) => started.push(index));
		respawns.later(0, 0);
		respawns.later(1, 0);
		vi.advanceTimersByTime(1);
		expect(started).toEqual([0, 1]);
		respawns.later(0, 0);
		vi.advanceTimersByTime(LIMITS.respawnFirstMs - 1);
		expect(started).toEqual([0, 1]);
		vi.advanceTimersByTime(1);
		expect(started).toEqual([0, 1, 0]);
		respawns.later(0, 0);
		respawns.cancel();
		vi.advanceTimersByTime(LIMITS.respawnLastMs);
		respawns.forgetCrashes();
		respawns.later(0, 0);
		vi.advanceTimersByTime(1);
		expect(started).toEqual([0, 1, 0, 0]);
	} finally {
		vi.useRealTimers();
	}
});
