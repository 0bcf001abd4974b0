/**
 * What the line `weir is ready` names, so that an operator sees at a glance which folder is served, and whether it is
 * the one that was meant. Called by `serve.ts`.
 */
import type { Config } from "../../config.ts";
import type { Store } from "../../store/store.ts";
import { formatAddress } from "../config/address.ts";
import { versionOf } from "../version.ts";

/** @param counters the file that all workers share; null: each counts in its own memory */
export const readyFields = (
	config: Pick<Config, "listen" | "management" | "workers" | "dataDir" | "countersFile" | "fleet">,
	store: Pick<Store, "counts">,
	counters: string | null,
): object => ({
	listen: config.listen.map(formatAddress),
	management: formatAddress(config.management),
	workers: config.workers,
	data_dir: config.dataDir,
	...store.counts(),
	counters: counters === null ? null : config.countersFile,
	...(config.fleet === null ? {} : { fleet: config.fleet.name, member: config.fleet.member.name }),
	version: versionOf(),
});
