/** Makes the process of a worker: what of the supervisor's descriptors and environment it has. Called by `worker-handle.ts`. */
import { type ChildProcess, fork } from "node:child_process";
import { HEADER_BYTES_VARIABLE } from "../../http/uws.ts";
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

/** @throws Error if there can't be another process */
export const forkWorker = ({ config, sockets }: WorkerStart): ChildProcess =>
	fork(new URL("../worker/worker-entry.js", import.meta.url), [], {
		env: {
			...process.env,
			[API_KEY_VARIABLE]: "",
			[HEADER_BYTES_VARIABLE]: String(config.limits.requestHeaderBytes),
		},
		execArgv: withoutDebugger(process.execArgv),
		stdio: [...STDIO, ...sockets.flat()],
	});
