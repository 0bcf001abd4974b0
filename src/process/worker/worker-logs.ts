/**
 * The logs of a worker: that of all lines, and that of access lines where they have a destination of their own. Replaced
 * at a reload, opened again after log rotation. Made by `worker.ts`.
 */
import type { Config } from "../../config.ts";
import { openLog } from "../../telemetry/log.ts";
import { SUPERVISOR_STDOUT } from "../../telemetry/log-output.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { AccessDestination } from "../log/access-destination.ts";
import { reopenLog } from "../log/process-log.ts";
import { ReplaceableLog } from "../log/replaceable-log.ts";

export class WorkerLogs {
	readonly log: ReplaceableLog;
	readonly access: AccessDestination;
	readonly #metrics: Pick<Metrics, "add">;
	#settings: Config["log"];

	constructor(settings: Config["log"], metrics: Pick<Metrics, "add">) {
		this.#metrics = metrics;
		this.#settings = settings;
		this.log = new ReplaceableLog(this.#open(settings.destination, settings.level));
		// Whoever names a destination for them wants them there, whatever the level of the others.
		this.access = new AccessDestination(settings, this.log, (to) => this.#open(to, "info"));
	}

	/** Never fails: whether a log can be had is judged at start and reload, not when a worker is replaced. */
	#open(destination: string, level: string): ReturnType<typeof openLog> {
		const to = destination === "stdout" ? SUPERVISOR_STDOUT : destination;
		return openLog({ level, destination: to, orStderr: true }, () =>
			this.#metrics.add("weir_log_lines_dropped_total"),
		);
	}

	/** A reload. A file is opened again under its name, as log rotation wants it. */
	settle(next: Config["log"]): void {
		const { destination, level } = this.#settings;
		const isSame = next.destination === destination && next.level === level;
		this.#settings = next;
		if (isSame) reopenLog(this.log, this.log);
		else this.log.replace(this.#open(next.destination, next.level));
		this.access.settle(next);
		reopenLog(this.access, this.log);
	}

	reopen(): void {
		reopenLog(this.log, this.log);
		reopenLog(this.access, this.log);
	}

	/** The lines so far are written, or counted as dropped. No others are taken. */
	async close(): Promise<void> {
		await Promise.all([this.log.close(), this.access.close()]);
	}
}
