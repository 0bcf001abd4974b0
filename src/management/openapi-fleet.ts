/** The part of the published description that is about fleets (`openapi.ts`): paths, answers, and what changes may wait for. */
import { LIMITS } from "../limits/limits.ts";
import { answeredSchema, type Json } from "./document-schemas.ts";
import { fleetLogSchema, fleetSchema } from "./fleet/fleet-answers.ts";
import { queryOperation } from "./openapi-live-operations.ts";
import { deleteOperation } from "./openapi-operations.ts";
import { idParameter, REQUEST_FIELDS } from "./openapi-parameters.ts";

const MEMBER = [idParameter("member_id")];
const PAGE_LIMIT = `1 to ${LIMITS.pageSize}; default: ${LIMITS.pageSize}`;

export const fleetPaths = (): Json => ({
	"/fleet": queryOperation(
		"getFleet",
		"Fleet",
		{
			state: "only machines in this state",
			limit: PAGE_LIMIT,
			after: "go on behind this machine, as `next_page_uri` does",
			revision: "answer once every machine seen of late has this revision; 202 if not in time",
			wait: `how long to wait for that, e.g. \`5s\`, which is the default; at most ${LIMITS.fleetWaitMs / 1000}s`,
		},
		["ERR_FLEET_UNAVAILABLE"],
		["202"],
	),
	"/fleet/log": queryOperation(
		"listFleetLog",
		"FleetLog",
		{ limit: PAGE_LIMIT, before: "only revisions below this one" },
		["ERR_NO_FLEET", "ERR_FLEET_UNAVAILABLE"],
	),
	"/fleet/members/{member_id}": {
		parameters: [...MEMBER, ...REQUEST_FIELDS],
		...deleteOperation("forgetMember", MEMBER, [
			"ERR_NO_FLEET",
			"ERR_FLEET_MEMBER_NOT_FOUND",
			"ERR_FLEET_READ_ONLY",
			"ERR_FLEET_UNAVAILABLE",
		]),
	},
});

export const FLEET_SCHEMAS: Json = {
	Fleet: answeredSchema(fleetSchema, {}),
	FleetLog: answeredSchema(fleetLogSchema, {}),
};
