/**
 * `SIGHUP`: configuration and certificates are read again, and what serves takes them over (contract 1; docs/operations.md,
 * "Signals"). Called by `running-server.ts`.
 */
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Management } from "../../management/server.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { claimNew } from "../config/address.ts";
import { assertDistinct } from "../config/address-conflicts.ts";
import { type CertificateDates, readDates, warnOfDates } from "../config/certificate-dates.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import type { FleetKeeper } from "../fleet/fleet-keeper.ts";
import { reloadLog, tryLog } from "../log/process-log.ts";
import type { ReplaceableLog } from "../log/replaceable-log.ts";
import { keptSettings, managementSettings, nextFleet, nextManagement } from "./kept-settings.ts";
import { changedListeners, listenerMarks, needsWorkers } from "./reload-plan.ts";
import type { WorkerSet } from "./worker-set.ts";

export interface ReloadedServer {
	/** both replaced by a reload */
	config: Config;
	certificates: readonly CertificateDates[];
	readonly log: ReplaceableLog;
	readonly metrics: Metrics;
	readonly workers: WorkerSet;
	readonly management: Management;
	readonly fleet: FleetKeeper | undefined;
	/** of each listener (`listenerMarks`) */
	listeners: readonly string[];
	/** how many of them these workers have made anew */
	renewed: number;
}

/** A configuration that is wrong changes nothing. */
export async function reload(server: ReloadedServer, sources: ConfigSources): Promise<void> {
	const loaded = loadConfig(sources);
	if (!loaded.ok) {
		server.log.error({ mistakes: loaded.error }, "config not reloaded: it has mistakes");
		return;
	}
	const { config } = loaded.value;
	for (const setting of keptSettings(config, server.config))
		server.log.warn({ setting }, "this setting changes only with a restart");
	try {
		await assertDistinct({ listen: config.listen, management: server.config.management });
		tryLog(config);
		const { dataDir, countersFile } = server.config;
		const next: Config = {
			...{ ...config, dataDir, countersFile },
			listen: await claimNew(config, server.config),
			management: nextManagement(config.management, server.config.management),
			fleet: nextFleet(config.fleet, server.config.fleet),
		};
		if (next.keysPerRateLimit !== server.config.keysPerRateLimit)
			server.log.warn({ setting: "counters.keys_max" }, "changed: all rate-limits begin anew");
		const newWorkers = await takeOver(server, next);
		reloadLog(server, next);
		await server.management.reload(managementSettings(next)).catch(({ message }: Error) => {
			server.log.error({ reason: message }, "the management API keeps its certificate");
		});
		if (next.fleet !== null) await server.fleet?.reload(next.fleet);
		server.config = next;
		server.certificates = readDates(next);
		warnOfDates(server.certificates, server.log);
		server.log.info({ workers: next.workers, new_workers: newWorkers }, "config reloaded");
	} catch (error) {
		server.log.error({ reason: (error as Error).message }, "config not reloaded");
	}
}

/** By the workers that run, where they can; else new ones. @returns whether there are new ones @throws Error */
async function takeOver(server: ReloadedServer, next: Config): Promise<boolean> {
	const marks = listenerMarks(next);
	const listeners = changedListeners(marks, server.listeners);
	const renewed = server.renewed + listeners.length;
	const tooMany = renewed > LIMITS.renewedListeners ? ["listeners were made anew many times"] : [];
	let reasons = [...needsWorkers(next, server.config), ...tooMany];
	if (reasons.length === 0) {
		reasons = [...(await server.workers.settle({ config: next, listeners }))];
	}
	const isSettled = reasons.length === 0;
	if (!isSettled) {
		server.log.info({ reasons }, "new workers start: this can't be taken over by those that run");
		await server.workers.reload(next);
	}
	server.listeners = marks;
	server.renewed = isSettled ? renewed : 0;
	return !isSettled;
}
