/**
 * A log that passes its lines on to others: those of audit to one, the rest to another or the same. Base of
 * `replaceable-log.ts` and `split-log.ts`.
 */
import type { JsonLine } from "../../telemetry/json-bytes.ts";
import type { AuditLog, Log } from "../../telemetry/log.ts";

export abstract class PassingLog<Audit extends AuditLog> {
	protected readonly to: { log: Log; audit: Audit };

	constructor(log: Log, audit: Audit) {
		this.to = { log, audit };
	}

	audit(fields: object): void {
		this.to.audit.audit(fields);
	}

	info(fields: object, message: string): void {
		this.to.log.info(fields, message);
	}

	encoded(line: JsonLine): void {
		this.to.log.encoded(line);
	}

	warn(fields: object, message: string): void {
		this.to.log.warn(fields, message);
	}

	error(fields: object, message: string): void {
		this.to.log.error(fields, message);
	}
}
