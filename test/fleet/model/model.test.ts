/**
 * The protocol itself, over a log and a network that misbehave by a seed: `WEIR_MODEL_SCHEDULES` of each mode. What was
 * acknowledged is in force everywhere, or was told of, whatever happens (docs/fleet.md, "Failures").
 */
import { describe, expect, it } from "vitest";
import { MODES, type Mode } from "./faults.ts";
import { judge } from "./judge.ts";
import { World } from "./world.ts";

const SCHEDULES = Number(process.env.WEIR_MODEL_SCHEDULES ?? "20");
const FIRST = Number(process.env.WEIR_MODEL_SEED ?? "1");
const STEPS = 100;

describe("the fleet's protocol", () => {
	it.each(Object.keys(MODES) as Mode[])(
		"holds what it promises: %s",
		async (mode) => {
			const total = { acknowledged: 0, reported: 0, silent: 0, voids: 0 };
			const failures: string[] = [];
			for (let number = 0; number < SCHEDULES; number++) {
				const seed = (FIRST + number) * 7919;
				const world = new World(seed, mode);
				try {
					await world.run(STEPS);
					const verdict = judge(world);
					for (const key of Object.keys(total) as (keyof typeof total)[])
						total[key] += verdict[key];
					if (verdict.silent > 0)
						failures.push(`seed ${FIRST + number}: I3: ${verdict.silent} lost`);
				} catch (error) {
					failures.push(
						`seed ${FIRST + number}: ${error instanceof Error ? error.message : error}`,
					);
				}
			}
			if (process.env.WEIR_MODEL_SCHEDULES !== undefined)
				console.log(mode, JSON.stringify(total), failures.length, failures.slice(0, 5));
			expect(failures.slice(0, 5)).toEqual([]);
		},
		3_600_000,
	);
});
