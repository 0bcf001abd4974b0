/**
 * The protocol itself, over a log and a network that misbehave by a seed. What was acknowledged is in force everywhere, or
 * was told of, whatever happens (docs/fleet.md, "Failures"). `WEIR_MODEL_SCHEDULES` of each mode, beginning with
 * `WEIR_MODEL_FIRST`.
 */
import { describe, expect, it } from "vitest";
import { MODES, type Mode } from "./faults.ts";
import { runSchedules } from "./schedules.ts";

const SCHEDULES = Number(process.env.WEIR_MODEL_SCHEDULES ?? "25");
const FIRST = Number(process.env.WEIR_MODEL_FIRST ?? "1");
const TIMEOUT_MS = 30_000 + 200 * SCHEDULES;

describe("the fleet's protocol", () => {
	it.each(Object.keys(MODES) as Mode[])(
		"holds what it promises: %s",
		async (mode) => {
			const { failures, ...figures } = await runSchedules(mode, FIRST, SCHEDULES);
			if (process.env.WEIR_MODEL_SCHEDULES !== undefined)
				console.log(mode, JSON.stringify(figures), failures.length, failures.slice(0, 5));
			expect(failures.slice(0, 5)).toEqual([]);
			const { untold, flip, swap } = MODES[mode];
			// One is one also in a short run.
			const most = untold === 0 ? 0 : Math.ceil(untold * figures.acknowledged);
			expect(figures.silent).toBeLessThanOrEqual(most);
			// Who has another record there than it had can't know that it is the same.
			if (flip === 0 && swap === 0)
				expect(figures.overstated).toBeLessThanOrEqual(figures.acknowledged / 1000);
			expect(figures.acknowledged).toBeGreaterThan(5 * SCHEDULES);
		},
		TIMEOUT_MS,
	);
});
