/** Time and chance as presence and waits take them, so that tests may turn them by hand. */
import type { Stop } from "./log/log.ts";

export interface Clock {
	/** milliseconds, monotonic */
	now(): number;
	/** from 0 to below 1 */
	random(): number;
	/** Runs once, after so many milliseconds, unless it is stopped; keeps no process alive. */
	after(ms: number, run: () => void): Stop;
}

export const CLOCK: Clock = {
	now: () => performance.now(),
	random: Math.random,
	after(ms, run) {
		const timer = setTimeout(run, ms).unref();
		return () => clearTimeout(timer);
	},
};

export const sleep = (clock: Clock, ms: number): Promise<void> =>
	new Promise((resolve) => {
		clock.after(ms, resolve);
	});
