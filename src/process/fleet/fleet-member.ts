/**
 * What the supervisor of a machine in a fleet has besides: the membership and what is asked of it over the control
 * socket. Loaded by `supervisor/membership.ts` where the configuration names a fleet.
 */
import { join } from "node:path";
import { LEVEL } from "../../fleet/level.ts";
import type { AuditLog, Log } from "../../telemetry/log.ts";
import type { FleetControl } from "../control/server.ts";
import type { MemberConfig } from "./engine-settings.ts";
import { fleetControl } from "./fleet-control.ts";
import { FleetKeeper } from "./fleet-keeper.ts";
import { memberState } from "./member-state.ts";
import { openFleet } from "./open-fleet.ts";
import { restoreState } from "./restore-state.ts";

/** its time of change says when this machine was last in sync */
const SYNC_MARK = "fleet-in-sync";

interface OpenedMember {
	readonly fleet: FleetKeeper;
	readonly control: FleetControl;
}

export function openMember(config: MemberConfig, logger: Log & AuditLog): OpenedMember {
	const { fleet: settings, dataDir } = config;
	const fleet = new FleetKeeper(settings, {
		stateOf: (database) => memberState(database, settings.name, dataDir),
		open: (membership) => openFleet(membership, config, { logger, mayDiscard: false }),
		syncMark: join(dataDir, SYNC_MARK),
	});
	const restore = (file: string) => restoreState(fleet, file);
	return { fleet, control: fleetControl({ fleet, level: LEVEL, restore, log: logger }) };
}
