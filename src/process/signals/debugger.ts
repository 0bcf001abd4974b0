/**
 * `SIGUSR1` is Node's way to start its debugger in a running process, which anybody on the machine may
 * then use to run code in it. Weir's handlers take the signal over; before they are there, Node's own is.
 * Used wherever such handlers are made.
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
