/**
 * The supervisor's log where audit lines have a destination of their own (`log.audit`): two logs that are flushed,
 * closed and opened again together. Made by `process-log.ts`.
 */
import type { AuditLog, Log } from "../../telemetry/log.ts";

export class SplitLog implements Log, AuditLog {
	readonly #log: Log;
	readonly #audit: Log & AuditLog;

	constructor(log: Log, audit: Log & AuditLog) {
		this.#log = log;
		this.#audit = audit;
	}

	audit(fields: object): void {
		this.#audit.audit(fields);
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

	async flush(timeoutMs?: number): Promise<void> {
		await Promise.all([this.#log.flush(timeoutMs), this.#audit.flush(timeoutMs)]);
	}

	async close(timeoutMs?: number): Promise<void> {
		await Promise.all([this.#log.close(timeoutMs), this.#audit.close(timeoutMs)]);
	}

	/** Where one of them can't be opened again, the other one is all the same. */
	reopen(): void {
		try {
			this.#log.reopen();
		} finally {
			this.#audit.reopen();
		}
	}
}
