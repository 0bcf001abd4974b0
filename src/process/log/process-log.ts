/**
 * Opens, replaces and reopens the log of a process, at the start, at a reload and after log rotation. Used by
 * `serve.ts` and `worker/worker-logs.ts`.
 */
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import { type AuditLog, type Log, openLog } from "../../telemetry/log.ts";
import { openOutput } from "../../telemetry/log-output.ts";
import { LogPace } from "../../telemetry/log-pace.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import type { ReplaceableLog } from "./replaceable-log.ts";
import { SplitLog } from "./split-log.ts";

const MIB = 1_048_576;

/** Where audit lines go. */
export const auditDestination = ({
	audit,
	destination,
}: Pick<Config["log"], "audit" | "destination">): string => audit ?? destination;

/** @throws Error a log file can't be opened */
export function openSupervisorLog({ log }: Config, metrics: Metrics): Log & AuditLog {
	const { level, destination } = log;
	const open = (to: string, onDrop: () => void) =>
		openLog({ level, destination: to, onUnread: () => sayUnread(to) }, () => {
			metrics.add("weir_log_lines_dropped_total");
			onDrop();
		});
	const main = open(destination, () => {});
	const audit = auditDestination(log);
	if (audit === destination) return main;
	const pace = new LogPace(LIMITS.auditLossLogMs);
	const lost = () => {
		const lines = pace.happened(performance.now());
		if (lines !== undefined) main.error({ file: audit, lines }, "audit lines are lost");
	};
	return new SplitLog(main, open(audit, lost));
}

/** Weir does not wait for a FIFO to have a reader, so the operator is told where the lines are meanwhile. */
const sayUnread = (file: string): boolean =>
	process.stderr.write(
		`weir: nobody reads the log ${file} yet; lines wait for a reader, those beyond ${LIMITS.logBufferBytes / MIB} MiB are dropped\n`,
	);

/** Before a reload begins: workers go on without their log. @throws Error it can't be opened */
export function tryLog({ log }: Config): void {
	const { destination, access, accessDestination } = log;
	const ofAccess = access && accessDestination !== null ? [accessDestination] : [];
	for (const each of new Set([destination, auditDestination(log), ...ofAccess])) {
		openOutput(each).close();
	}
}

/** A file is opened again under its name, as log rotation wants it. @throws Error it can't be opened */
export function reloadLog(
	{ log, config, metrics }: { log: ReplaceableLog; config: Config; metrics: Metrics },
	next: Config,
): void {
	const { destination, level, audit } = next.log;
	const isSame = destination === config.log.destination && audit === config.log.audit;
	if (isSame && level === config.log.level) log.reopen();
	else log.replace(openSupervisorLog(next, metrics));
}

/** `SIGUSR1`. A file that can't be opened again stays open. @param tell where that is said, the same log as a rule */
export function reopenLog(log: Pick<Log, "reopen">, tell: Pick<Log, "error">): void {
	try {
		log.reopen();
	} catch (error) {
		tell.error({ reason: (error as Error).message }, "log file not opened again");
	}
}
