import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import {
	keepTime,
	nanosecondsBetween,
	notedTicks,
	readTicks,
	wallMsAt,
} from "../../src/telemetry/request-clock.ts";

it("runs as the system's clocks do, and never backwards", async () => {
	const [fromTicks, fromMs] = [readTicks(), performance.now()];
	await wait(50);
	keepTime();
	const [toTicks, toMs] = [readTicks(), performance.now()];
	expect(nanosecondsBetween(fromTicks, toTicks) / 1e6).toBeCloseTo(toMs - fromMs, 0);
	expect(nanosecondsBetween(toTicks, fromTicks)).toBe(0);
	expect(notedTicks()).toBe(toTicks);
	expect(Math.abs(wallMsAt(readTicks()) - Date.now())).toBeLessThanOrEqual(2);
	expect(Number.isInteger(wallMsAt(toTicks))).toBe(true);
});
