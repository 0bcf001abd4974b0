/**
 * Has V8 compile sooner what has run a few times, for what runs from now on. By itself it waits for a page's worth of
 * repetition, as programs do most things once. Here a start does, and what comes behind it is done again and again, some
 * of it seldom: a worker's report once a second, a supervisor's changes. Until they are compiled, which takes hours of the
 * former and a minute of the latter at 100 a second, they run three times as long and requests wait behind them. Called
 * once a start is over, by `supervisor/running-server.ts` and `worker/worker.ts`.
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
