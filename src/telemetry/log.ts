/**
 * Log lines as JSON, one per line (contract 5, log). The one module that imports pino. Logging never
 * blocks its caller: lines wait in a bounded buffer (`LIMITS.logBufferBytes`) for a destination that may
 * not drain, and are dropped and counted when it is full. Used by every process.
 */
import { type Logger, pino } from "pino";
import { LIMITS } from "../limits/limits.ts";
import type { JsonLine } from "./json-bytes.ts";
import { infoLine } from "./json-line.ts";
import { LogWriter } from "./log-writer.ts";

export interface Log {
	info(fields: object, message: string): void;
	/** As `info`, of a line that is written already; it may be used again when this returns. */
	encoded(line: JsonLine): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
	/** Resolves when the lines so far have been handed over, at the latest after `timeoutMs` (default 1000). */
	flush(timeoutMs?: number): Promise<void>;
	/** As `flush`; lines that are still waiting then, and later ones, are dropped and counted. */
	close(timeoutMs?: number): Promise<void>;
	/** Opens a log file again under its name (log rotation). @throws Error if it can't be opened */
	reopen(): void;
}

/** Who changed what (contract 2, "Audit"). These lines are written at every level that the log may have. */
export interface AuditLog {
	audit(fields: object): void;
}

/** Lines that are no JSON: access lines in the combined format. */
export interface LineLog {
	/** @param text without the line's end */
	line(text: string): void;
}

export interface LogOptions {
	/** `stdout`, `stderr`, in workers `SUPERVISOR_STDOUT`, or an absolute path */
	readonly destination: string;
	/** a pino level, or `silent` */
	readonly level: string;
	/** called at once if it is a FIFO that nobody reads yet */
	readonly onUnread?: () => void;
	/** a file that can't be opened is no reason not to go on: lines go to stderr until it is reopened */
	readonly orStderr?: boolean;
}

const FLUSH_MS = 1000;

/** What audit lines are told by. */
const AUDIT = "audit";

/**
 * @param onDrop called once per line that was dropped
 * @param maxBytes of lines waiting for the destination
 * @throws Error if a log file can't be opened, unless `orStderr`
 */
export function openLog(
	{ destination, level, onUnread, orStderr }: LogOptions,
	onDrop: () => void,
	maxBytes: number = LIMITS.logBufferBytes,
): Log & AuditLog & LineLog {
	const instead = orStderr === true ? "stderr" : undefined;
	const writer = new LogWriter(destination, maxBytes, onDrop, instead);
	if (writer.isUnread) onUnread?.();
	const logger = pino(
		{
			level,
			base: { pid: process.pid },
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
		},
		writer,
	);
	if (writer.failure !== undefined)
		logger.error(
			{ reason: writer.failure.message },
			"the log can't be opened: lines go to stderr until SIGUSR1 or a reload finds it again",
		);
	const writesInfo = logger.isLevelEnabled("info");
	const audit = logger.child({}, { level: "info" });
	/** @returns undefined: pino has written it instead */
	const lineOf = (fields: object, message: string, orElse: Logger): string | undefined => {
		try {
			const plain = fields as Readonly<Record<string, unknown>>;
			return infoLine(plain, message, process.pid, Date.now());
		} catch {
			// Circles and the like; pino knows a form for them.
			orElse.info(fields, message);
			return undefined;
		}
	};
	return {
		audit(fields) {
			const line = lineOf(fields, AUDIT, audit);
			if (line !== undefined) writer.write(line);
		},
		line: (text) => writer.later(`${text}\n`),
		info(fields, message) {
			const line = writesInfo ? lineOf(fields, message, logger) : undefined;
			if (line !== undefined) writer.later(line);
		},
		encoded({ bytes, length }) {
			if (writesInfo) writer.laterBytes(bytes, length);
		},
		warn: (fields, message) => logger.warn(fields, message),
		error: (fields, message) => logger.error(fields, message),
		flush: (timeoutMs = FLUSH_MS) => writer.flush(timeoutMs),
		close: (timeoutMs = FLUSH_MS) => writer.close(timeoutMs),
		reopen: () => writer.reopen(),
	};
}
