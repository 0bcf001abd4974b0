/**
 * The log that all parts of the supervisor hold. It passes lines on to another log, which a reload may replace.
 * Used by `serve.ts`.
 */
import type { AuditLog, Log } from "../../telemetry/log.ts";
import { PassingLog } from "./passing-log.ts";

export class ReplaceableLog extends PassingLog<AuditLog> implements Log, AuditLog {
	constructor(log: Log & AuditLog) {
		super(log, log);
	}

	/** From now on lines go to `log`. The log before it is closed once its lines are written. */
	replace(log: Log & AuditLog): void {
		void this.to.log.close();
		this.to.log = log;
		this.to.audit = log;
	}

	flush(timeoutMs?: number): Promise<void> {
		return this.to.log.flush(timeoutMs);
	}

	close(timeoutMs?: number): Promise<void> {
		return this.to.log.close(timeoutMs);
	}

	reopen(): void {
		this.to.log.reopen();
	}
}
