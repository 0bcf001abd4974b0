/** The watchdog names workers that stand still once, and forgives everybody what it did not see itself. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Heartbeat } from "../../../src/process/supervisor/heartbeat.ts";
import { Watchdog } from "../../../src/process/supervisor/watchdog.ts";

const SECOND = LIMITS.heartbeatMs;
const asleep = () => ({ state: "S", cpuMs: 10 });

function setUp() {
	const worker = (pid: number) => ({ pid, heartbeat: new Heartbeat(0), busyMs: 1000 });
	const workers = new Set([worker(1), worker(2)]);
	const stuck: { pid: number; verdict: string; silentMs: number }[] = [];
	const watchdog = new Watchdog(
		workers,
		({ pid }, { verdict, silentMs }) => stuck.push({ pid, verdict, silentMs }),
		0,
		asleep,
	);
	return { workers: [...workers], stuck, watchdog };
}

it("names a worker that stands still, once, and no other", () => {
	const { workers, stuck, watchdog } = setUp();
	for (let nowMs = SECOND; nowMs <= 8 * SECOND; nowMs += SECOND) {
		workers[1]?.heartbeat.heard(nowMs);
		watchdog.look(nowMs);
	}
	expect(stuck).toEqual([{ pid: 1, verdict: "still", silentMs: LIMITS.workerSilentMs }]);
});

it("blames nobody for a time in which it did not look, however often that happens", () => {
	const { stuck, watchdog } = setUp();
	for (let nowMs = 0; nowMs <= 100 * SECOND; nowMs += 2.5 * SECOND) watchdog.look(nowMs);
	// Stopped for an hour: who stands still since then gets his five seconds from now on.
	const woken = 3600 * SECOND;
	for (let nowMs = woken; nowMs < woken + 5 * SECOND; nowMs += SECOND) watchdog.look(nowMs);
	expect(stuck).toEqual([]);
	watchdog.look(woken + 5 * SECOND);
	expect(stuck.map(({ pid }) => pid)).toEqual([1, 2]);
});
