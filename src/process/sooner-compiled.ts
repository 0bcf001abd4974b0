/**
 * Has V8 compile sooner what runs from now on. By itself it waits for many repetitions, since programs do most things a few
 * times. Here only a start does, and what comes behind it is done again and again, some of it seldom: a supervisor's
 * changes, a worker's report once a second. Requests on the same core wait while that runs, and find the processor's caches
 * cold behind it (docs/design.md, "Facts that bend the code"). Called when a start is over, by
 * `supervisor/running-server.ts` and `worker/worker.ts`.
 */
import { setFlagsFromString } from "node:v8";

/** Node 20 and 22: what a function meets is noted from its first call on. */
const NOTES_AT_ONCE = "--no-lazy-feedback-allocation";
/**
 * Node 20: bytes of bytecode that a function runs before it is looked at again, 67,584 by itself. Node 22 counts calls; how
 * many would serve here has not been measured.
 */
const LOOKS_SOONER = "--interrupt-budget=15000";

/** @param node its version @param options on its command line: what an operator says is obeyed */
export function flagsBeside(node: string, options: readonly string[]): readonly string[] {
	const flags = node.startsWith("20.") ? [NOTES_AT_ONCE, LOOKS_SOONER] : [NOTES_AT_ONCE];
	const said = new Set(options.map(nameOf));
	return flags.filter((flag) => !said.has(nameOf(flag)));
}

const nameOf = (option: string): string =>
	option
		.replaceAll("_", "-")
		.replace(/^--(no-)?/, "")
		.replace(/=.*/, "");

export function compileSooner(): void {
	for (const flag of flagsBeside(process.versions.node, process.execArgv)) setFlagsFromString(flag);
}
