/**
 * Which level a record has that holds documents of a level (docs/fleet.md, "Levels"): the fleet's, which a write may
 * raise once every machine of the fleet understands more. Called by `batch-write.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { FleetError } from "./fleet-error.ts";
import type { FleetLog } from "./log/log.ts";

/** @throws FleetError machines of the fleet don't have it; LogError */
export async function levelFor(
	needed: number,
	fleets: number,
	log: Pick<FleetLog, "seen">,
): Promise<number> {
	if (needed <= fleets) return fleets;
	const seen = await log.seen();
	const lacking = seen.filter(
		({ status, ageMs }) => status.level < needed && ageMs <= LIMITS.fleetLevelMs,
	);
	const [first] = lacking;
	if (first === undefined) return needed;
	const { name, version } = first.status;
	const more = lacking.length - 1;
	throw new FleetError(
		"ERR_FLEET_LEVEL",
		`The change needs level ${needed} of the fleet, which has level ${fleets}: ${name} (weir ${version})${more > 0 ? ` and ${more} more` : ""} ${more > 0 ? "don't" : "doesn't"} understand it. Nothing was changed. Upgrade them, or forget those that are gone; \`weir fleet level\` lists them.`,
	);
}
