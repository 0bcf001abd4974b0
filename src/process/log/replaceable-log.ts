/**
 * The log that all parts of the supervisor hold. It passes lines on to another log, which a reload may replace.
 * Used by `serve.ts`.
 */
import type { AuditLog, Log } from "../../telemetry/log.ts";

export class ReplaceableLog implements Log, AuditLog {
	#log: Log & AuditLog;

	constructor(log: Log & AuditLog) {
		this.#log = log;
	}

	/** From now on lines go to `log`. The log before it is closed once its lines are written. */
	replace(log: Log & AuditLog): void {
		void this.#log.close();
		this.#log = log;
	}

	audit(fields: object): void {
		this.#log.audit(fields);
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
