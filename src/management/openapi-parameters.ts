/** Parameters of operations in the published description: used by `openapi.ts` and `openapi-operations.ts`. */
import { LIMITS } from "../limits/limits.ts";
import { ID_PATTERN } from "../store/ids.ts";
import type { Json } from "./document-schemas.ts";

export const idParameter = (name: string): Json => ({
	name,
	in: "path",
	required: true,
	schema: { type: "string", pattern: `^${ID_PATTERN}$` },
});

/** Of a rate-limit: a path's last segments. */
export const KEY_PARAMETER: Json = {
	name: "key",
	in: "path",
	required: true,
	description:
		"One segment for each element of `bucket_key`, in the listed order; `json:` and JSON for what is no text.",
	schema: { type: "string" },
};

/** Of a refused request. */
export const REQUEST_ID_PARAMETER: Json = {
	name: "key",
	in: "path",
	required: true,
	description: "The request's id, percent-encoded.",
	schema: { type: "string" },
};

/** Of the live page: a path's last segments. */
export const FILE_PARAMETER: Json = {
	name: "key",
	in: "path",
	required: true,
	description: "Path of a file below the folder; empty: the page.",
	schema: { type: "string" },
};

const headerParameter = (name: string, description: string): Json => ({
	name,
	in: "header",
	required: false,
	description,
	schema: { type: "string" },
});

const VERSION: Json = {
	...headerParameter("Service-Version", "API version; 2 if absent"),
	schema: { type: "string", enum: ["2"] },
};
/** Of every request that needs a key. */
export const REQUEST_FIELDS: readonly Json[] = [
	VERSION,
	{
		...headerParameter(
			"Fleet-Revision",
			"answer from this revision of the fleet on; waits for it up to 5 seconds",
		),
		schema: { type: "integer", minimum: 0 },
	},
];
export const IF_MATCH = headerParameter(
	"If-Match",
	"read or change only what has one of these etags",
);
export const IF_NONE_MATCH = headerParameter(
	"If-None-Match",
	"etags, of a GET: 304 if the document has one of them; `*`, of a change: create only",
);

export const queryParameter = (name: string, description: string): Json => ({
	...{ name, in: "query", required: false, description },
	schema: { type: "string" },
});

/** Of every change of what is stored. */
export const WAIT: readonly Json[] = [
	{
		...queryParameter(
			"wait",
			"`fleet`: answer once every machine seen within 30 seconds has the change; 202 if not in time",
		),
		schema: { type: "string", enum: ["fleet"] },
	},
	queryParameter(
		"timeout",
		`how long to wait, e.g. \`5s\`, which is the default; at most ${LIMITS.fleetWaitMs / 1000}s`,
	),
];

/** Which page of a list, and how much of it. */
export const PAGE: readonly Json[] = [
	{
		name: "limit",
		in: "query",
		description: "Entries of one page.",
		schema: { type: "integer", minimum: 1, maximum: LIMITS.pageSize, default: LIMITS.pageSize },
	},
	{
		name: "before_id",
		in: "query",
		description: "Go on behind this id, as `next_page_uri` does.",
		schema: { type: "string" },
	},
];

export const CANDIDATE: Json = {
	...{ name: "candidate", in: "query", required: false },
	description: "true: the candidate for the policy is meant, as at `…/policy/candidate`",
	schema: { type: "boolean", default: false },
};

export const UNATTACHED: Json = {
	name: "unattached",
	in: "query",
	description: "true: only policies without a route",
	schema: { type: "boolean", default: false },
};
