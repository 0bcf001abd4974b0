/**
 * Opens, replaces and reopens the log of a process, at the start, at a reload and after log rotation. Used by
 * `serve.ts` and `worker.ts`.
 */
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type AuditLog, type Log, openLog } from "../../telemetry/log.ts";
import { openOutput } from "../../telemetry/log-output.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import type { ReplaceableLog } from "./replaceable-log.ts";

const MIB = 1_048_576;

/** @throws Error a log file can't be opened */
export const openSupervisorLog = ({ log }: Config, metrics: Metrics): Log & AuditLog =>
	openLog({ ...log, onUnread: () => sayUnread(log.destination) }, () =>
		metrics.add("weir_log_lines_dropped_total"),
	);

/** Weir does not wait for a FIFO to have a reader, so the operator is told where the lines are meanwhile. */
const sayUnread = (file: string): boolean =>
	process.stderr.write(
		`weir: nobody reads the log ${file} yet; lines wait for a reader, those beyond ${LIMITS.logBufferBytes / MIB} MiB are dropped\n`,
	);

/** Before a reload begins: workers go on without their log. @throws Error it can't be opened */
export const tryLog = ({ log }: Config): void => openOutput(log.destination).close();

/** A file is opened again under its name, as log rotation wants it. @throws Error it can't be opened */
export function reloadLog(
	{ log, config, metrics }: { log: ReplaceableLog; config: Config; metrics: Metrics },
	next: Config,
): void {
	const { destination, level } = next.log;
	if (destination === config.log.destination && level === config.log.level) log.reopen();
	else log.replace(openSupervisorLog(next, metrics));
}

/** `SIGUSR1`. A file that can't be opened again stays open, and is where that is said. */
export function reopenLog(log: Log): void {
	try {
		log.reopen();
	} catch (error) {
		log.error({ reason: (error as Error).message }, "log file not opened again");
	}
}
