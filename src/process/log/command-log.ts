/**
 * Where a command that changes something without a server leaves its audit lines: the log that the server would have,
 * if that is a file that is there; else stderr, since a command's stdout is its answer. Used by `keys-command.ts` and
 * `restore-command.ts`.
 */
import { existsSync } from "node:fs";
import type { Config } from "../../config.ts";
import { type AuditLog, type Log, openLog } from "../../telemetry/log.ts";
import { standardDescriptor } from "../../telemetry/log-output.ts";
import { auditDestination } from "./process-log.ts";

export class CommandLog implements AuditLog {
	readonly #config: Pick<Config, "log">;
	#log: (Log & AuditLog) | undefined;

	constructor(config: Pick<Config, "log">) {
		this.#config = config;
	}

	audit(fields: object): void {
		this.#log ??= this.#open();
		this.#log.audit(fields);
	}

	/** Resolves when the lines are written. */
	async close(): Promise<void> {
		await this.#log?.close();
	}

	/** A file is not made: a command may run as another user, whose file the server could not open. */
	#open(): Log & AuditLog {
		const { level } = this.#config.log;
		const destination = auditDestination(this.#config.log);
		const isThere = standardDescriptor(destination) === undefined && existsSync(destination);
		try {
			return openLog({ destination: isThere ? destination : "stderr", level }, () => {});
		} catch {
			return openLog({ destination: "stderr", level }, () => {});
		}
	}
}
