/**
 * The supervisor's signals (contract 1). Handlers are in place from the first moment on, so that a signal during
 * start-up neither kills the process half-way nor is lost; it takes effect once the server runs. Made by `main.ts`
 * before it loads anything else, used by `serve.ts`. Workers have `worker-signals.ts`.
 */
import { closeUnwantedDebugger } from "./debugger.ts";

export interface SignalHandlers {
	/** `SIGHUP`; all that arrive before it has resolved lead to one more reload */
	reload(): Promise<void>;
	/** `SIGUSR1`: log files have been moved */
	reopenLogs(): void;
	/** the first of `STOP` */
	stop(signal: NodeJS.Signals): void;
	/** the second one: there is no time for an orderly end, the process exits at once */
	kill(): void;
}

export interface SignalSource {
	on(signal: NodeJS.Signals, listener: () => void): unknown;
}

const STOP = ["SIGTERM", "SIGINT", "SIGQUIT"] as const;

/** They mean things to other servers (nginx: a new binary) or to alarm clocks; here none ends a process. */
export const IGNORED = ["SIGUSR2", "SIGALRM"] as const;

/** Not `exit`, which waits for threads: one of them may be stuck, perhaps that is why the end is wanted. */
const endNow = (): void => {
	process.kill(process.pid, "SIGKILL");
};

export class Signals {
	readonly #exit: () => void;
	#handlers: SignalHandlers | undefined;
	#stop: NodeJS.Signals | undefined;
	#mustReload = false;
	#isReloading = false;
	#mustReopen = false;

	constructor(source: SignalSource = process, exit: () => void = endNow) {
		this.#exit = exit;
		source.on("SIGHUP", () => this.#onReload());
		source.on("SIGUSR1", () => this.#onReopen());
		for (const signal of STOP) source.on(signal, () => this.#onStop(signal));
		for (const signal of IGNORED) source.on(signal, () => {});
		closeUnwantedDebugger();
	}

	/** Obeys from now on, first what has come already. */
	obey(handlers: SignalHandlers): void {
		this.#handlers = handlers;
		if (this.#stop !== undefined) handlers.stop(this.#stop);
		else {
			if (this.#mustReopen) handlers.reopenLogs();
			if (this.#mustReload) this.#onReload();
		}
	}

	#onReload(): void {
		this.#mustReload = true;
		if (this.#handlers !== undefined && !this.#isReloading) void this.#reload(this.#handlers);
	}

	async #reload(handlers: SignalHandlers): Promise<void> {
		this.#isReloading = true;
		while (this.#mustReload && this.#stop === undefined) {
			this.#mustReload = false;
			await handlers.reload();
		}
		this.#isReloading = false;
	}

	#onReopen(): void {
		this.#mustReopen = true;
		this.#handlers?.reopenLogs();
	}

	#onStop(signal: NodeJS.Signals): void {
		if (this.#stop !== undefined) {
			this.#handlers?.kill();
			this.#exit();
			return;
		}
		this.#stop = signal;
		this.#handlers?.stop(signal);
	}
}
