/**
 * Closes the debugger that Node opens at `SIGUSR1`. Every user of the machine could run code through it. Weir uses
 * the signal for log rotation, but until its handler is in place Node's own handler acts. Used by `signals.ts`,
 * `worker-signals.ts` and `fork-worker.ts`.
 */
import { close, url } from "node:inspector";

/** Where Node knows it, the debugger can't be started by the signal at all. */
const SWITCH = "--disable-sigusr1";

/** For the command line of a worker. */
export const withoutDebugger = (options: readonly string[]): string[] =>
	process.allowedNodeEnvironmentFlags.has(SWITCH) && !options.includes(SWITCH)
		? [...options, SWITCH]
		: [...options];

/** Ends a debugger that a signal has started before; one that the command line asks for stays. */
export function closeUnwantedDebugger(): void {
	const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");
	if (!options.includes("--inspect") && url() !== undefined) close();
}
