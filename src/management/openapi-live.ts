/** The part of the published description that is about the live page (`openapi.ts`): its paths, and what they answer. */
import { LIMITS } from "../limits/limits.ts";
import type { Json } from "./document-schemas.ts";
import { EXPLAIN_PATH, POLICY_CHECK_PATH, POLICY_EXPLAIN, UI_PATH } from "./http/public-paths.ts";
import { ROUTE_SORTS } from "./live/route-search.ts";
import {
	askOperation,
	fileOperation,
	makeOperation,
	queryOperation,
} from "./openapi-live-operations.ts";
import { operation, readOperation, reference } from "./openapi-operations.ts";
import { FILE_PARAMETER, REQUEST_ID_PARAMETER } from "./openapi-parameters.ts";

/** A policy may be given, which is refused as one that is PUT. */
const EXPLAIN_CODES = ["ERR_INVALID_JSON", "ERR_INVALID_DOCUMENT", "ERR_NOT_READY"] as const;

export const livePaths = (route: readonly Json[]): Json => ({
	"/edges/https/{edge_id}/routes/{id}/policy/hits": readOperation(
		"getPolicyHits",
		route,
		"PolicyHits",
		["ERR_POLICY_NOT_FOUND"],
	),
	[POLICY_CHECK_PATH]: askOperation("checkPolicy", "Policy", "PolicyCheck", ["ERR_NOT_READY"]),
	[EXPLAIN_PATH]: askOperation("explain", "Explain", "Explanation", EXPLAIN_CODES),
	[`/edges/https/{edge_id}/routes/{id}${POLICY_EXPLAIN}`]: askOperation(
		"explainPolicy",
		"Explain",
		"Explanation",
		[...EXPLAIN_CODES, "ERR_ROUTE_NOT_FOUND"],
		route,
	),
	"/policy/language": readOperation("policyLanguage", [], "PolicyLanguage"),
	"/live/events": operation("watch", "text/event-stream", "read", { type: "string" }, [
		"ERR_TOO_MANY_STREAMS",
	]),
	"/live/routes": queryOperation("searchRoutes", "LiveRoutes", {
		q: "words that all have to be in a route's name, match, backends or its edge's hostports",
		sort: `one of ${ROUTE_SORTS.join(", ")}; default: name`,
		order: "asc or desc; default: desc, of names asc",
		page: "from 1",
		per_page: `1 to ${LIMITS.liveRoutesPerPage}; default: ${LIMITS.liveRoutesPerPageDefault}`,
	}),
	"/live/refusals": queryOperation("listRefusals", "LiveRefusals", {
		limit: `1 to ${LIMITS.liveRefusals}; default: ${LIMITS.pageSize}`,
	}),
	"/explain-tokens": makeOperation("createExplainToken", "ExplainToken", "CreatedExplainToken", [
		"ERR_INVALID_JSON",
		"ERR_INVALID_DOCUMENT",
		"ERR_TOO_MANY_EXPLAIN_TOKENS",
	]),
	"/decisions/{key}": readOperation("getDecision", [REQUEST_ID_PARAMETER], "Decision", [
		"ERR_DECISION_NOT_FOUND",
	]),
	"/live/limits": readOperation("listHottestLimits", [], "LiveLimits"),
	[`${UI_PATH}/{key}`]: fileOperation("livePage", [FILE_PARAMETER]),
});

const integer = { type: "integer" };
const number = { type: "number" };
const string = { type: "string" };
const orNull = (type: string): Json => ({ type: [type, "null"] });
const listOf = (items: Json): Json => ({ type: "array", items });

/** All members are there, always. */
const whole = (properties: Json): Json => ({
	type: "object",
	required: Object.keys(properties),
	properties,
});

const RANGE: Json = {
	...whole({ line: integer, column: integer, end_line: integer, end_column: integer }),
	type: ["object", "null"],
	description: "from 1, columns in UTF-16 units; the end is behind the last",
};
const CHECKED = listOf(whole({ pointer: string, code: string, message: string, range: RANGE }));
const PHASES = listOf({ type: "string", enum: ["inbound", "outbound"] });
const rates = (...names: readonly string[]): Json =>
	Object.fromEntries(
		names.flatMap((name) => [
			[`${name}_per_second`, number],
			[name, integer],
		]),
	);

const RULE: Json = {
	...whole({ phase: string, index: integer, name: string }),
	type: ["object", "null"],
};

const REFUSAL = {
	...{ id: string, ts: integer, request_id: orNull("string"), client_ip: string },
	...{ edge_id: orNull("string"), route_id: orNull("string") },
	...{ method: string, host: string, path: string, status: integer, reason: string },
	...{ rule: RULE, limit: orNull("string"), worker: integer },
};

const EXPLAINED: Json = {
	...whole({
		explanation: { anyOf: [reference("Explanation"), { type: "null" }] },
		...{ agrees: orNull("boolean"), problem: orNull("string") },
	}),
	type: ["object", "null"],
	description:
		"of a request that brought a token; `agrees`: it says what happened; `problem`: why there is no explanation",
};

export const LIVE_SCHEMAS: Json = {
	PolicyCheck: whole({ valid: { type: "boolean" }, problems: CHECKED, warnings: CHECKED }),
	PolicyLanguage: whole({
		variables: listOf(
			whole({ name: string, type: string, documentation: string, example: string, phases: PHASES }),
		),
		functions: listOf(
			whole({
				...{ name: string, signatures: listOf(string), member: { type: "boolean" } },
				...{ documentation: string, examples: listOf(string) },
			}),
		),
		actions: listOf(
			whole({
				...{ type: string, phases: PHASES, documentation: string },
				...{ config: { type: "object" }, example: { type: "object" } },
			}),
		),
		schema: { type: "object" },
	}),
	PolicyHits: whole({
		rules: listOf(
			whole({ phase: string, index: integer, name: string, matches: integer, refusals: integer }),
		),
		since: { ...integer, description: "milliseconds since 1970" },
		etag: string,
	}),
	LiveRoute: whole({
		...{ edge_id: string, id: string, uri: string, match_type: string, match: string },
		...{ hostports: listOf(string), backends: listOf(string) },
		...rates("requests", "errors", "refusals"),
		policy: whole({ state: string, rules: integer, rate_limits: integer }),
	}),
	LiveRoutes: whole({
		routes: listOf(reference("LiveRoute")),
		...{ page: integer, per_page: integer, found: integer, total: integer },
	}),
	Refusal: whole(REFUSAL),
	Decision: whole({ ...REFUSAL, reason: orNull("string"), explained: EXPLAINED }),
	LiveRefusals: whole({ refusals: listOf(reference("Refusal")), left_out: integer }),
	LiveLimit: whole({
		...{ edge_id: string, route_id: string, rule: integer, rule_name: string, action: integer },
		...{ name: string, capacity: integer, rate: string, bucket_key: listOf(string) },
		...{ enforce: { type: "boolean" }, ...rates("admitted", "rejected") },
		...{ live_keys: integer, remaining: orNull("integer") },
	}),
	LiveLimits: whole({ limits: listOf(reference("LiveLimit")), left_out: integer }),
};
