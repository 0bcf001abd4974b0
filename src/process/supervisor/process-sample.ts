/** Reads the state and the processor time of a worker from `/proc`, on Linux only. Used by `watchdog.ts` for `heartbeat.ts`. */
import { readFileSync } from "node:fs";

export interface ProcessSample {
	/** of its main thread: `R` on a processor or waiting for one, `S` waiting, `D` for a disk, `T` and `t` stopped */
	readonly state: string;
	/** milliseconds of processor time, all threads together, in steps of 10 */
	readonly cpuMs: number;
}

/** Linux counts processor time in these for programs, whatever its own clock is. */
const TICK_MS = 10;

/** @returns undefined where it can't be found out */
export function sampleProcess(pid: number | undefined): ProcessSample | undefined {
	let text: string;
	try {
		text = readFileSync(`/proc/${pid}/stat`, "latin1");
	} catch {
		return undefined;
	}
	// The name before may hold anything, parentheses too.
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
	const [state = ""] = fields;
	return Number.isNaN(cpuMs) ? undefined : { state, cpuMs };
}
