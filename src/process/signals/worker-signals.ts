/**
 * The signals of a worker process, handled before it loads anything else. Operators send them to all of weir at once
 * (`pkill`; Ctrl-C reaches the process group). The supervisor decides what follows and tells its workers over the
 * channel. Made by `worker-entry.ts`, used by `worker.ts`.
 */
import { closeUnwantedDebugger } from "./debugger.ts";
import { IGNORED, type SignalSource } from "./signals.ts";

export interface WorkerOrders {
	/** `SIGTERM`, `SIGQUIT` */
	leave(): void;
	/** `SIGUSR1` */
	reopenLog(): void;
}

export class WorkerSignals {
	#orders: WorkerOrders | undefined;
	#mustLeave = false;

	constructor(source: SignalSource = process) {
		for (const signal of ["SIGTERM", "SIGQUIT"] as const) source.on(signal, () => this.#onLeave());
		source.on("SIGUSR1", () => this.#orders?.reopenLog());
		for (const signal of [...IGNORED, "SIGINT", "SIGHUP"] as const) source.on(signal, () => {});
		closeUnwantedDebugger();
	}

	obey(orders: WorkerOrders): void {
		this.#orders = orders;
		if (this.#mustLeave) orders.leave();
	}

	#onLeave(): void {
		this.#mustLeave = true;
		this.#orders?.leave();
	}
}
