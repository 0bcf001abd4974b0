/**
 * Where a command that changes something without a server leaves its audit lines: the log that the server would have,
 * if that is a file that is there; else stderr, since a command's stdout is its answer. Lines that the file has no room
 * for go to stderr as well. Used by `keys-command.ts` and `restore-command.ts`.
 */
import { existsSync } from "node:fs";
import type { Config } from "../../config.ts";
import { type AuditLog, type Log, openLog } from "../../telemetry/log.ts";
import { standardDescriptor } from "../../telemetry/log-output.ts";
import { auditDestination } from "./process-log.ts";

interface LogConfig {
	readonly log: Pick<Config["log"], "destination" | "audit" | "level">;
}

export class CommandLog implements AuditLog {
	readonly #config: LogConfig;
	readonly #said: object[] = [];
	#log: (Log & AuditLog) | undefined;
	#isDropping = false;

	constructor(config: LogConfig) {
		this.#config = config;
	}

	audit(fields: object): void {
		this.#log ??= this.#open();
		this.#said.push(fields);
		this.#log.audit(fields);
	}

	/** Resolves when the lines are written. */
	async close(): Promise<void> {
		await this.#log?.close();
		if (!this.#isDropping) return;
		const file = auditDestination(this.#config.log);
		process.stderr.write(`weir: the audit log ${file} took no line, so keep what follows:\n`);
		const log = this.#toStderr();
		for (const fields of this.#said) log.audit(fields);
		await log.close();
	}

	/** A file is not made: a command may run as another user, whose file the server could not open. */
	#open(): Log & AuditLog {
		const destination = auditDestination(this.#config.log);
		const isThere = standardDescriptor(destination) === undefined && existsSync(destination);
		if (!isThere) return this.#toStderr();
		const { level } = this.#config.log;
		try {
			return openLog({ destination, level }, () => {
				this.#isDropping = true;
			});
		} catch {
			return this.#toStderr();
		}
	}

	#toStderr(): Log & AuditLog {
		return openLog({ destination: "stderr", level: this.#config.log.level }, () => {});
	}
}
