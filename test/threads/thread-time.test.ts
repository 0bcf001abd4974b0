/** Time on a processor, of this thread, from inside and from outside; where the system tells it. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { ownThread, ownWorkMs, sharedClockMs, workMsOf } from "../../src/threads/thread-time.ts";

const IS_TOLD = existsSync("/proc/thread-self/schedstat");

test.runIf(IS_TOLD)("work goes on while there is some, and both sides see the same", () => {
	const [beganMs, workMs] = [sharedClockMs(), ownWorkMs()];
	while (ownWorkMs() - workMs < 20) if (sharedClockMs() - beganMs > 20_000) break;
	expect(ownWorkMs() - workMs).toBeGreaterThanOrEqual(20);
	const seenMs = workMsOf(ownThread());
	expect(seenMs).toBeGreaterThanOrEqual(workMs + 20);
	expect(seenMs).toBeLessThanOrEqual(ownWorkMs());
	// it took no less by the clock; some of what came before may be counted only now
	expect(sharedClockMs() - beganMs).toBeGreaterThan(10);
});

test("of a thread that there is not nothing is known", () => {
	expect(workMsOf(0)).toBe(Number.NaN);
});
