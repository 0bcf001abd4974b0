/**
 * What the supervisor answers `weir fleet` over the control socket (`control/fleet-protocol.ts`). Made by
 * `fleet-member.ts`.
 */
import type { Fleet } from "../../fleet/fleet.ts";
import { FleetError } from "../../fleet/fleet-error.ts";
import { LogError } from "../../fleet/log/log.ts";
import { stateOf } from "../../fleet/presence.ts";
import { StoreError } from "../../store/store-error.ts";
import type { AuditLog } from "../../telemetry/log.ts";
import type {
	FleetRaised,
	FleetRequest,
	FleetRestored,
	FleetStatus,
} from "../control/fleet-protocol.ts";
import type { FleetControl } from "../control/server.ts";

interface Controlled {
	readonly fleet: Fleet;
	/** highest level that this version understands */
	readonly level: number;
	/** @throws StoreError, FleetError */
	readonly restore: (file: string) => Promise<FleetRestored>;
	readonly log: AuditLog;
}

export const fleetControl =
	(controlled: Controlled): FleetControl =>
	async (request) => {
		try {
			return await answer(request, controlled);
		} catch (error) {
			if (error instanceof LogError || error instanceof FleetError)
				throw new StoreError(error.message, { cause: error });
			throw error;
		}
	};

async function answer(request: FleetRequest, controlled: Controlled): Promise<unknown> {
	const { fleet } = controlled;
	switch (request.do) {
		case "fleet-status":
			return status(controlled);
		case "fleet-log":
			return fleet.history(request.limit, request.before);
		case "fleet-raise":
			return raised(controlled);
		case "fleet-forget": {
			const known = await fleet.members();
			if (!known.some(({ status: { id } }) => id === request.member))
				throw new StoreError(
					`the fleet has no member "${request.member}"; weir fleet status lists them`,
				);
			await fleet.forget(request.member);
			controlled.log.audit({
				...{ via: "control socket", operation: "forgetMember" },
				...{ member: request.member, result: "deleted" },
			});
			return null;
		}
		case "fleet-restore":
			return restored(request.file, controlled);
	}
}

/** A record that changes nothing but the level: every machine of the last days has to understand it. */
async function raised({ fleet, level, log }: Controlled): Promise<FleetRaised> {
	const { position } = fleet.status();
	if (position !== undefined && position.level >= level) return { level: position.level };
	let revision: number | undefined;
	const onRevision = (written: number) => {
		revision = written;
	};
	const at = new Date().toISOString();
	await fleet.queue.write(() => undefined, { at, level, onRevision });
	const done = { via: "control socket", operation: "raiseFleetLevel", level, revision };
	log.audit({ ...done, result: "changed" });
	return { level, revision };
}

/** All of the state may be other than it was, keys included. */
async function restored(file: string, { restore, log }: Controlled): Promise<FleetRestored> {
	const done = await restore(file);
	const { written, deleted, revision = null } = done;
	log.audit({
		...{ via: "control socket", operation: "restoreFleet", file, revision, written, deleted },
		result: revision === null ? "unchanged" : "changed",
	});
	return done;
}

async function status({ fleet, level }: Controlled): Promise<FleetStatus> {
	const own = fleet.status();
	const members = await fleet.members().catch((error: unknown) => {
		if (error instanceof LogError || error instanceof FleetError) return undefined;
		throw error;
	});
	return {
		own: {
			...own,
			position: own.position,
			why: own.why,
			lost: { ...own.lost, files: [...own.lost.files] },
		},
		refusal: fleet.refusal,
		members: members?.map(({ status: said, ageMs }) => ({
			status: { ...said, state: stateOf({ status: said, ageMs }), labels: { ...said.labels } },
			ageMs,
		})),
		level,
	};
}
