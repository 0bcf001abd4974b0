/**
 * Where the configuration names a fleet: this machine's membership, beside store and workers. What a fleet needs is
 * loaded then only. Used by `serve.ts`.
 */
import type { Config } from "../../config.ts";
import type { Publisher } from "../../management/publisher.ts";
import type { AuditLog, Log } from "../../telemetry/log.ts";
import type { FleetKeeper } from "../fleet/fleet-keeper.ts";
import type { WorkerSet } from "./worker-set.ts";

/** @returns undefined: the machine is in no fleet */
export const openMembership = async ({ fleet, dataDir, limits }: Config, log: Log & AuditLog) =>
	fleet === null
		? undefined
		: (await import("../fleet/fleet-member.ts")).openMember({ fleet, dataDir, limits }, log);

/** For the management API: in a fleet every record that was applied is published, whoever wrote it. */
export const publisherBeside = (
	fleet: FleetKeeper | undefined,
	publisher: Publisher,
): { readonly publisher: Publisher } => ({
	publisher: fleet === undefined ? publisher : { publish: async () => {} },
});

/** Everything serves: from now on this machine follows its fleet. */
export const follow = async (
	fleet: FleetKeeper | undefined,
	{ publish }: Publisher,
	workers: Pick<WorkerSet, "each">,
): Promise<void> =>
	fleet?.start(publish, (refusal) =>
		workers.each((worker) => worker.refuse(refusal !== undefined)),
	);
