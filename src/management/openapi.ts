/**
 * The published description of this API (OpenAPI 3.1), built from the schemas that validate and those that type the
 * answers, so that it cannot say something else than the server does. `test/e2e/openapi.test.ts` calls every operation.
 */

import type { z } from "zod";
import { asciiUpperCase } from "../ascii.ts";
import { explainTokenAnswerSchema, explainTokenSchema } from "../explain/live/token-schemas.ts";
import { explainSchema, explanationSchema } from "../explain/shapes.ts";
import { type PolicyLimits, policyJsonSchema } from "../policy/document/schema.ts";
import { ipListChangeSchema, ipListSchema } from "../store/ip-lists.ts";
import { KEY_ROLES } from "../store/key-roles.ts";
import { edgeSchema, routeSchema } from "../store/resources.ts";
import * as answers from "./answers.ts";
import {
	answeredSchema,
	type Json,
	OWN_FIELDS,
	SCHEMA_NAMES,
	writtenSchema,
} from "./document-schemas.ts";
import { JSON_TYPE } from "./http/reply.ts";
import { CANDIDATE_SCHEMAS, candidatePaths } from "./openapi-candidates.ts";
import { referredRefusals } from "./openapi-errors.ts";
import { FLEET_SCHEMAS, fleetPaths } from "./openapi-fleet.ts";
import { ANSWER_HEADERS } from "./openapi-headers.ts";
import { LIVE_SCHEMAS, livePaths } from "./openapi-live.ts";
import {
	changeOperation,
	deleteOperation,
	documentOperations,
	listOperation,
	operation,
	readOperation,
	reference,
	runOperation,
} from "./openapi-operations.ts";
import { CANDIDATE, idParameter, KEY_PARAMETER, UNATTACHED } from "./openapi-parameters.ts";
import { VERSION_SCHEMAS, versionPaths } from "./openapi-versions.ts";
import { trafficPolicySchema } from "./resources/traffic-policy.ts";
import { transactionSchema } from "./resources/transaction-body.ts";

const ROLES = `An API key. Its role is one of ${KEY_ROLES.join(", ")}; each may do what those behind it may. An operation names the least role that it needs.`;

const ABOUT =
	"Edges, routes, policies and address lists of weir. HEAD works wherever GET does. Unknown fields of documents are refused; null for a field with a default means that it is absent.";

const answered = (schema: z.ZodType): Json => answeredSchema(schema, {});

/** A policy as it is stored: its three parts are always there. */
const STORED_POLICY: Json = {
	allOf: [reference("Policy"), { required: ["enabled", "inbound", "outbound"] }],
};

function schemas(limits: PolicyLimits): Json {
	const { $schema, ...policy } = policyJsonSchema(limits) as Json;
	return {
		Policy: policy,
		StoredPolicy: STORED_POLICY,
		TrafficPolicy: writtenSchema(trafficPolicySchema, {}),
		StoredTrafficPolicy: answered(trafficPolicySchema.required()),
		Edge: writtenSchema(edgeSchema, OWN_FIELDS.edge),
		StoredEdge: answeredSchema(edgeSchema, OWN_FIELDS.edge),
		Route: writtenSchema(routeSchema, OWN_FIELDS.route),
		StoredRoute: answeredSchema(routeSchema, OWN_FIELDS.route),
		IpList: writtenSchema(ipListSchema, OWN_FIELDS["ip-list"]),
		StoredIpList: answeredSchema(ipListSchema, OWN_FIELDS["ip-list"]),
		IpListChange: writtenSchema(ipListChangeSchema, {}),
		ListedIpList: answered(answers.listedIpListSchema),
		ListedPolicy: answered(answers.listedPolicySchema),
		...CANDIDATE_SCHEMAS,
		CandidateReport: answered(answers.candidateReportSchema),
		RateLimits: answered(answers.rateLimitsSchema),
		RateLimitKey: answered(answers.rateLimitKeySchema),
		Transaction: writtenSchema(transactionSchema, {}),
		Transacted: answered(answers.transactedSchema),
		Health: answered(answers.healthSchema),
		Readiness: answered(answers.readinessSchema),
		Explain: writtenSchema(explainSchema, {}),
		Explanation: answered(explanationSchema),
		ExplainToken: writtenSchema(explainTokenSchema, {}),
		CreatedExplainToken: answered(explainTokenAnswerSchema),
		...LIVE_SCHEMAS,
		...FLEET_SCHEMAS,
		...VERSION_SCHEMAS,
		Error: answered(answers.errorSchema),
	};
}

const EDGE = "/edges/https/{edge_id}";
const ROUTE = `${EDGE}/routes/{id}`;

const edge = [idParameter("edge_id")];
const route = [...edge, idParameter("id")];
const list = [idParameter("list_id")];
const limit = [...route, idParameter("limit")];

const POLICY_CODES = {
	get: ["ERR_POLICY_NOT_FOUND"],
	put: ["ERR_NOT_READY", "ERR_TESTS_FAILED"],
	delete: ["ERR_POLICY_NOT_FOUND"],
} as const;
const LIMIT_CODES = ["ERR_POLICY_NOT_FOUND", "ERR_NOT_READY"] as const;
const KEY_CODES = [...LIMIT_CODES, "ERR_RATE_LIMIT_NOT_FOUND"] as const;
/** the limit has a key, which is missing */
const BUCKET_CODES = [...KEY_CODES, "ERR_INVALID_KEY"] as const;

const resourcePaths = (): Json => ({
	"/edges/https": listOperation("StoredEdge", "edges", []),
	[EDGE]: documentOperations("Edge", edge, true, {
		get: ["ERR_EDGE_NOT_FOUND"],
		put: ["ERR_HOSTPORT_CONFLICT"],
		delete: ["ERR_EDGE_NOT_FOUND"],
	}),
	[`${EDGE}/routes`]: listOperation("StoredRoute", "routes", edge, [], ["ERR_EDGE_NOT_FOUND"]),
	[ROUTE]: documentOperations("Route", route, true, {
		get: ["ERR_EDGE_NOT_FOUND", "ERR_ROUTE_NOT_FOUND"],
		put: ["ERR_EDGE_NOT_FOUND", "ERR_MATCH_CONFLICT"],
		delete: ["ERR_ROUTE_NOT_FOUND"],
	}),
	[`${ROUTE}/policy`]: documentOperations("Policy", [...route, CANDIDATE], false, {
		...POLICY_CODES,
		get: [...POLICY_CODES.get, "ERR_CANDIDATE_NOT_FOUND"],
		delete: [...POLICY_CODES.delete, "ERR_CANDIDATE_NOT_FOUND"],
	}),
	...candidatePaths(route),
	[`${ROUTE}/traffic_policy`]: documentOperations("TrafficPolicy", route, false, POLICY_CODES),
	[`${ROUTE}/rate-limits`]: readOperation("listRateLimits", route, "RateLimits", LIMIT_CODES),
	[`${ROUTE}/rate-limits/{limit}/keys`]: {
		...readOperation("getRateLimitBucket", limit, "RateLimitKey", BUCKET_CODES),
		...deleteOperation("resetRateLimitBucket", limit, BUCKET_CODES),
	},
	[`${ROUTE}/rate-limits/{limit}/keys/{key}`]: {
		...readOperation("getRateLimitKey", [...limit, KEY_PARAMETER], "RateLimitKey", KEY_CODES),
		...deleteOperation("resetRateLimitKey", [...limit, KEY_PARAMETER], KEY_CODES),
	},
	"/policies": listOperation("ListedPolicy", "policies", [], [UNATTACHED]),
	"/ip-lists": listOperation("ListedIpList", "ip_lists", []),
	"/ip-lists/{list_id}": documentOperations("IpList", list, true, {
		get: ["ERR_IP_LIST_NOT_FOUND"],
		put: ["ERR_IP_LIST_FULL"],
		delete: ["ERR_IP_LIST_NOT_FOUND", "ERR_IP_LIST_IN_USE"],
	}),
	"/ip-lists/{list_id}/entries": changeOperation(
		"changeIpListEntries",
		list,
		"IpListChange",
		"ListedIpList",
		["ERR_IP_LIST_NOT_FOUND", "ERR_IP_LIST_FULL"],
	),
	"/transactions": runOperation("runTransaction", [], "Transaction", "Transacted", [
		"ERR_TRANSACTION_REFUSED",
		"ERR_TESTS_FAILED",
		"ERR_NOT_READY",
	]),
	...versionPaths(route),
	...livePaths(route),
	...fleetPaths(),
});

const SCHEMA: Json = { type: "object", required: ["$schema", "title"] };

const operationPaths = (): Json => ({
	"/healthz": operation("health", JSON_TYPE, null, reference("Health")),
	"/readyz": operation("readiness", JSON_TYPE, "metrics", reference("Readiness"), [
		"ERR_NOT_READY",
	]),
	"/metrics": operation("metrics", "text/plain", "metrics", { type: "string" }),
	"/openapi.json": operation("openapi", JSON_TYPE, "read", {
		type: "object",
		required: ["openapi", "info", "paths", "components"],
	}),
	...Object.fromEntries(
		SCHEMA_NAMES.map((name) => [
			`/schemas/${name}.json`,
			operation(`${camelCase(name)}Schema`, JSON_TYPE, "read", SCHEMA),
		]),
	),
});

const camelCase = (name: string): string =>
	name
		.split("-")
		.map((word, index) => (index === 0 ? word : asciiUpperCase(word.charAt(0)) + word.slice(1)))
		.join("");

export function openApiDocument(limits: PolicyLimits): object {
	const paths = { ...resourcePaths(), ...operationPaths() };
	return {
		openapi: "3.1.0",
		info: { title: "weir management API", version: "2", description: ABOUT },
		security: [{ bearer: [] }],
		paths,
		components: {
			securitySchemes: { bearer: { type: "http", scheme: "bearer", description: ROLES } },
			responses: referredRefusals(paths, ANSWER_HEADERS),
			schemas: schemas(limits),
		},
	};
}
