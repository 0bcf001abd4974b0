/**
 * A forked process. A process that could not be forked (no memory, no descriptor, too many processes) looks like a
 * process that has ended: Node throws some of these errors and emits others without `exit`, and neither may end the
 * supervisor or leave a promise pending. Made by `worker-handle.ts`.
 */
import type { ChildProcess } from "node:child_process";

export interface ProcessEnd {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	/** why it never ran */
	readonly error?: string;
}

export class WorkerProcess<Incoming, Outgoing extends object> {
	/** undefined: it could not be forked */
	readonly pid: number | undefined;
	/** resolves once, never before the constructor's caller has gone on */
	readonly ended: Promise<ProcessEnd>;
	readonly #child: ChildProcess | undefined;

	constructor(fork: () => ChildProcess, onMessage: (message: Incoming) => void) {
		let child: ChildProcess;
		try {
			child = fork();
		} catch (error) {
			this.ended = Promise.resolve(notForked(error as Error));
			return;
		}
		this.#child = child;
		this.pid = child.pid;
		child.on("message", (message) => onMessage(message as Incoming));
		this.ended = new Promise((resolve) => {
			child.on("error", (error) => {
				// With a process it is about a message or a signal, and the exit is still to come.
				if (child.pid === undefined) resolve(notForked(error));
			});
			child.once("exit", (code, signal) => resolve({ code, signal }));
		});
	}

	send(message: Outgoing): void {
		// One that is just dying can't be written to; its end settles what waits for it.
		if (this.#child?.connected === true) this.#child.send(message, () => {});
	}

	kill(): void {
		this.#child?.kill("SIGKILL");
	}
}

/** A sentence, of one that ended before it listened. */
export const startFailure = (index: number, error: string | undefined): string =>
	error === undefined
		? `worker ${index} ended while starting`
		: `worker ${index} could not be started: ${error}`;

const notForked = ({ message }: Error): ProcessEnd => ({
	code: null,
	signal: null,
	error: message,
});
