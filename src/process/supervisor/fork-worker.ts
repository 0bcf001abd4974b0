/** Makes the process of a worker: what of the supervisor's descriptors and environment it has. Called by `worker-handle.ts`. */
import { type ChildProcess, fork } from "node:child_process";
import { HEADER_BYTES_VARIABLE } from "../../http/uws.ts";
import { LIMITS } from "../../limits/limits.ts";
import { SUPERVISOR_STDOUT_DESCRIPTOR } from "../../telemetry/log-output.ts";
import { API_KEY_VARIABLE } from "../config/environment.ts";
import type { WorkerStart } from "../messages.ts";
import { withoutDebugger } from "../signals/debugger.ts";

/** A worker's own stdout goes nowhere, `SUPERVISOR_STDOUT` says why; its log has the supervisor's. */
const STDIO: (number | "inherit" | "ignore" | "ipc")[] = ["inherit", "ignore", "inherit", "ipc"];
STDIO[SUPERVISOR_STDOUT_DESCRIPTOR] = 1;

/** Listening sockets come behind the others: their numbers in the worker. */
export const numbersInWorker = (
	sockets: WorkerStart["sockets"],
	next = STDIO.length,
): WorkerStart["sockets"] => sockets.map((of) => of.map(() => next++));

/**
 * Young objects are collected by the thread that serves alone: what survives is so little that V8's other threads, which it
 * would wait for, want more time than they save, and their cores have workers of their own.
 */
const COLLECTS_ALONE = "--no-parallel-scavenge";
/**
 * V8's optimiser sees through `super()` where default constructors are called, not where they may be left out: an object
 * of three classes takes 11 ns instead of 31 (Node 20; 9 and 19 with Node 22). Both know the option.
 */
const SEES_CONSTRUCTORS = "--no-omit-default-ctors";

/**
 * Of Node, for a worker: what the supervisor has, and a young generation that begins as large as it may become. V8 makes it
 * larger only when much survives, of which requests leave nothing: at its first megabyte it is collected for every 600 of
 * them. Whoever says how large it is to be is obeyed.
 * @param options of the supervisor @param variable `NODE_OPTIONS`
 */
export const optionsOfWorker = (options: readonly string[], variable = ""): string[] => {
	// Before the others: the last word counts.
	const own = [COLLECTS_ALONE, SEES_CONSTRUCTORS, ...withoutDebugger(options)];
	const isSaid = /semi[-_]space[-_]size/.test([...options, variable].join(" "));
	return isSaid ? own : [...own, `--min-semi-space-size=${LIMITS.workerYoungMegabytes}`];
};

/** @throws Error if there can't be another process */
export const forkWorker = ({ config, sockets }: WorkerStart): ChildProcess =>
	fork(new URL("../worker/worker-entry.js", import.meta.url), [], {
		env: {
			...process.env,
			[API_KEY_VARIABLE]: "",
			[HEADER_BYTES_VARIABLE]: String(config.limits.requestHeaderBytes),
		},
		execArgv: optionsOfWorker(process.execArgv, process.env.NODE_OPTIONS),
		stdio: [...STDIO, ...sockets.flat()],
	});
