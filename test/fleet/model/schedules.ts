/** Runs schedules of a mode and counts what came of them. */

import { MODES, type Mode } from "./faults.ts";
import { judge } from "./judge.ts";
import type { Disk } from "./memory-state.ts";
import { type Mutant, World } from "./world.ts";

export interface Outcome {
	readonly schedules: number;
	readonly acknowledged: number;
	/** not in the final history, and in a file of lost ones */
	readonly reported: number;
	/** and in none */
	readonly silent: number;
	/** told of as lost, and in the final history */
	readonly overstated: number;
	readonly failures: readonly string[];
}

const STEPS = 100;

/** @param stopAt after so many failures */
export async function runSchedules(
	mode: Mode,
	first: number,
	count: number,
	mutant: Mutant = {},
	stopAt = Number.POSITIVE_INFINITY,
	diskOf?: (name: string) => Disk,
): Promise<Outcome> {
	let [schedules, acknowledged, reported, silent, overstated] = [0, 0, 0, 0, 0];
	const failures: string[] = [];
	for (; schedules < count && failures.length < stopAt; schedules++) {
		const number = first + schedules;
		try {
			const world = new World(number * 7919, mode, mutant, diskOf);
			await world.run(STEPS);
			const verdict = judge(world);
			acknowledged += verdict.acknowledged;
			reported += verdict.reported;
			silent += verdict.silent;
			overstated += verdict.overstated;
			if (verdict.silent > 0 && MODES[mode].untold === 0)
				throw new Error(`I3: ${verdict.silent} lost and not told of`);
		} catch (error) {
			failures.push(`${mode} ${number}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	return { schedules, acknowledged, reported, silent, overstated, failures };
}
