/** Each rule of the protocol is one that the model misses when it is left out. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { runSchedules } from "./schedules.ts";

/** how many schedules a mutant may live through; a figure asks for the rate at which they die */
const SCHEDULES = Number(process.env.WEIR_MUTANT_SCHEDULES ?? "3000");
const isRateAsked = process.env.WEIR_MUTANT_SCHEDULES !== undefined;

afterEach(() => {
	vi.restoreAllMocks();
});

describe("the model finds out", () => {
	it.each(Object.entries(MUTANTS))(
		"%s",
		async (name, { mode, world, leaveOut }) => {
			leaveOut?.();
			const stopAt = isRateAsked ? undefined : 1;
			const { schedules, failures } = await runSchedules(mode, 1, SCHEDULES, world, stopAt);
			if (isRateAsked)
				console.log(
					`${name} (${mode}): ${failures.length} of ${schedules} die, first: ${failures[0]}`,
				);
			expect(failures).not.toEqual([]);
		},
		600_000,
	);
});
