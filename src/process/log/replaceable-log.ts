/** The supervisor's log, which everything holds on to, over one that a reload may replace. Used by `serve.ts`. */
import type { Log } from "../../telemetry/log.ts";

export class ReplaceableLog implements Log {
	#log: Log;

	constructor(log: Log) {
		this.#log = log;
	}

	/** Lines go to `log` from now on; those of the one before are handed over first. */
	replace(log: Log): void {
		void this.#log.close();
		this.#log = log;
	}

	info(fields: object, message: string): void {
		this.#log.info(fields, message);
	}

	warn(fields: object, message: string): void {
		this.#log.warn(fields, message);
	}

	error(fields: object, message: string): void {
		this.#log.error(fields, message);
	}

	flush(timeoutMs?: number): Promise<void> {
		return this.#log.flush(timeoutMs);
	}

	close(timeoutMs?: number): Promise<void> {
		return this.#log.close(timeoutMs);
	}

	reopen(): void {
		this.#log.reopen();
	}
}
