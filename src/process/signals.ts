/**
 * What the supervisor is told from outside (contract 1): heard from its first moment on, so that a signal
 * during start-up neither kills it half-way (`SIGHUP`) nor is lost; obeyed once it runs. Made by `main.ts`
 * before it loads anything else, used by `serve.ts`.
 */
export interface SignalHandlers {
	/** `SIGHUP`; the next one waits until it has resolved */
	reload(): Promise<void>;
	/** the first `SIGTERM` or `SIGINT` */
	stop(signal: NodeJS.Signals): void;
	/** the second one: there is no time for an orderly end, the process exits at once */
	kill(): void;
}

type Source = { on(signal: NodeJS.Signals, listener: () => void): unknown };

export class Signals {
	readonly #exit: () => void;
	#handlers: SignalHandlers | undefined;
	#stop: NodeJS.Signals | undefined;
	#mustReload = false;
	#reloading = Promise.resolve();

	constructor(source: Source = process, exit: () => void = () => process.exit(1)) {
		this.#exit = exit;
		source.on("SIGHUP", () => this.#onReload());
		for (const signal of ["SIGTERM", "SIGINT"] as const) {
			source.on(signal, () => this.#onStop(signal));
		}
	}

	/** Obeys from now on, first what has come already. */
	obey(handlers: SignalHandlers): void {
		this.#handlers = handlers;
		if (this.#stop !== undefined) handlers.stop(this.#stop);
		else if (this.#mustReload) this.#onReload();
	}

	#onReload(): void {
		const handlers = this.#handlers;
		if (handlers === undefined) this.#mustReload = true;
		else if (this.#stop === undefined) {
			this.#reloading = this.#reloading.then(() => handlers.reload());
		}
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
