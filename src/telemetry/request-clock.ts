/**
 * The time of requests. The addon notes it when it hands a request over, sends one to a backend, delivers what backends
 * answer, and sends an answer; hot code reads that note instead of asking the system, which takes 50 ns each time
 * (Node 20, AMD EPYC). Ticks are numbers that grow evenly; only differences of them mean something. Used by the data
 * path and by `traffic/`.
 */
import { addon } from "../native-addon.ts";

const NOTED = new Float64Array(addon.ticks);
let nsPerTick = addon.nanosecondsPerTick();
let wallMs = 0;
let wallTicks = 0;

/** Hot. When the addon was last in one of the places that note it. */
export const notedTicks = (): number => NOTED[0] ?? 0;

/** Now, for what none of these places comes before. Notes it as well. */
export function readTicks(): number {
	addon.noteTicks();
	return notedTicks();
}

/** Hot. Never below 0. */
export const nanosecondsBetween = (fromTicks: number, toTicks: number): number =>
	toTicks > fromTicks ? (toTicks - fromTicks) * nsPerTick : 0;

/** Hot. Milliseconds since 1970, in whole ones, as exact as the last `keepTime`. */
export const wallMsAt = (ticks: number): number =>
	Math.floor(wallMs + ((ticks - wallTicks) * nsPerTick) / 1e6);

/** Follows the system's clocks; every `LIMITS.clockSyncMs`. */
export function keepTime(): void {
	nsPerTick = addon.nanosecondsPerTick();
	wallMs = Date.now();
	wallTicks = readTicks();
}
keepTime();
