/** A log that keeps what was said. */
import type { AuditLog, Log } from "../../src/telemetry/log.ts";
import { decodedBy } from "../telemetry/encoded.ts";

export interface Line {
	readonly level: "info" | "warn" | "error" | "audit";
	readonly fields: object;
	readonly message: string;
}

export function recordedLog(): {
	readonly log: Log & AuditLog;
	readonly lines: readonly Line[];
} {
	const lines: Line[] = [];
	const note = (level: Line["level"]) => (fields: object, message: string) =>
		void lines.push({ level, fields, message });
	const log: Log & AuditLog = {
		audit: (fields) => note("audit")(fields, "audit"),
		info: note("info"),
		encoded: decodedBy(note("info")),
		warn: note("warn"),
		error: note("error"),
		flush: async () => {},
		close: async () => {},
		reopen: () => {},
	};
	return { log, lines };
}
