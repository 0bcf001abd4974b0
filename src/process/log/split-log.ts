/**
 * The supervisor's log where audit lines have a destination of their own (`log.audit`): two logs that are flushed,
 * closed and opened again together. Made by `process-log.ts`.
 */
import type { AuditLog, Log } from "../../telemetry/log.ts";
import { PassingLog } from "./passing-log.ts";

export class SplitLog extends PassingLog<Log & AuditLog> implements Log, AuditLog {
	async flush(timeoutMs?: number): Promise<void> {
		await Promise.all([this.to.log.flush(timeoutMs), this.to.audit.flush(timeoutMs)]);
	}

	async close(timeoutMs?: number): Promise<void> {
		await Promise.all([this.to.log.close(timeoutMs), this.to.audit.close(timeoutMs)]);
	}

	/** Where one of them can't be opened again, the other one is all the same. */
	reopen(): void {
		try {
			this.to.log.reopen();
		} finally {
			this.to.audit.reopen();
		}
	}
}
