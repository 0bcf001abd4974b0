/**
 * Has V8 compile sooner what runs from now on. By itself it waits for many repetitions, since programs do most things a few
 * times. Here only a start does, and what comes behind it is done again and again, some of it seldom: a supervisor's
 * changes, a worker's report once a second. Requests on the same core wait while that runs, and find the processor's caches
 * cold behind it (docs/design.md, "Facts that bend the code"). Called when a start is over, by `supervisor/running-server.ts` and
 * `worker/worker.ts`.
 */
import { setFlagsFromString } from "node:v8";

/**
 * Bytes of bytecode that a function runs before it is looked at again (67,584), and whether what it meets is noted from its
 * first call on. Node 20 and 22 read both whenever they need them.
 */
const FLAGS = ["--interrupt-budget=15000", "--no-lazy-feedback-allocation"] as const;

/** What an operator says of it is obeyed. @param options of Node, as on its command line or in `NODE_OPTIONS` */
export const flagsBeside = (options: string): readonly string[] => {
	const said = options.replaceAll("_", "-");
	return FLAGS.filter((flag) => !new RegExp(`-${nameOf(flag)}(?![-\\w])`).test(said));
};

const nameOf = (flag: string): string => flag.replace(/^--(no-)?/, "").replace(/=.*/, "");

export function compileSooner(): void {
	const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");
	for (const flag of flagsBeside(options)) setFlagsFromString(flag);
}
