/** Fields of answers in the published description: used by `openapi-operations.ts` and `openapi.ts`. */
import { LIMITS } from "../limits/limits.ts";
import type { Json } from "./document-schemas.ts";

/** Of every answer. */
export const ANSWER_HEADERS: Json = {
	"request-id": {
		required: true,
		description: "`req_` and a text that `operation_id` of an error and the audit line repeat.",
		schema: { type: "string", pattern: "^req_[0-9a-f]{24}$" },
	},
	"fleet-revision": {
		description:
			"In a fleet: revision that this machine has; of a change at least that which it became.",
		schema: { type: "integer", minimum: 0 },
	},
	"fleet-state": {
		description: "In a fleet: how this machine is, unless it is in sync, such as cut_off.",
		schema: { type: "string" },
	},
};

export const ETAG: Json = {
	etag: {
		required: true,
		description:
			"Of the stored document, or of the page of a list: for `If-Match` and `If-None-Match`.",
		schema: { type: "string" },
	},
};

/** How far the fleet is with a revision. */
export const SPREAD: Json = {
	"fleet-applied": {
		description:
			"With `wait`: machines that have it, of those seen within 30 seconds, as `997/1000`.",
		schema: { type: "string" },
	},
	"fleet-missing": {
		description: `Names of those that lack it, at most ${LIMITS.fleetMissingNamed}; absent if there are none.`,
		schema: { type: "string" },
	},
};
