/**
 * The published description of this API (OpenAPI 3.1), built from the schemas that validate, so that it
 * cannot say something else than the server does.
 */

import { z } from "zod";
import { codesOf } from "../error-code-origins.ts";
import { type PolicyLimits, policyJsonSchema } from "../policy/document/schema.ts";
import { ipListChangeSchema, ipListSchema } from "../store/ip-lists.ts";
import { KEY_ROLES } from "../store/key-roles.ts";
import { edgeSchema, routeSchema } from "../store/resources.ts";
import { JSON_TYPE } from "./http/reply.ts";
import { LIVE_SCHEMAS, livePaths } from "./openapi-live.ts";
import {
	changeOperation,
	deleteOperation,
	documentOperations,
	idParameter,
	type Json,
	KEY_PARAMETER,
	listOperation,
	operation,
	readOperation,
	reference,
} from "./openapi-operations.ts";
import { trafficPolicySchema } from "./resources/traffic-policy.ts";

/** A schema as clients write it, with the fields that the server adds to its answers. */
function resource(schema: z.ZodType, added: readonly string[]): Json {
	const { $schema, ...written }: Json = z.toJSONSchema(schema, { io: "input" });
	const properties = Object.fromEntries(added.map((name) => [name, { type: "string" }]));
	return { ...written, properties: { ...properties, ...(written.properties as Json) } };
}

const ERROR_SCHEMA: Json = {
	type: "object",
	required: ["error_code", "status_code", "msg", "details", "problems"],
	properties: {
		error_code: { type: "string", enum: codesOf("api") },
		status_code: { type: "integer" },
		msg: { type: "string" },
		details: { type: "object", additionalProperties: { type: "string" } },
		problems: {
			type: "array",
			items: {
				type: "object",
				required: ["pointer", "code", "message"],
				properties: {
					pointer: { type: "string" },
					code: { type: "string" },
					message: { type: "string" },
				},
			},
		},
	},
};

const LISTED_POLICY: Json = {
	type: "object",
	required: ["id", "edge_id", "uri", "attached"],
	properties: {
		id: { type: "string" },
		edge_id: { type: "string" },
		uri: { type: "string" },
		attached: { type: "boolean", description: "Is there a route that it applies to?" },
	},
};

const LISTED_IP_LIST: Json = {
	type: "object",
	required: ["id", "uri", "description", "entry_count"],
	properties: {
		id: { type: "string" },
		uri: { type: "string" },
		description: { type: "string" },
		entry_count: { type: "integer" },
	},
};

const integer = { type: "integer" };
const LISTED_RATE_LIMIT: Json = {
	type: "object",
	properties: {
		id: { type: "string", description: "its number in the policy, from 0" },
		keys_uri: { type: "string" },
		rule: integer,
		rule_name: { type: "string" },
		action: integer,
		name: { type: "string" },
		capacity: integer,
		rate: { type: "string" },
		bucket_key: {
			type: "array",
			items: { type: "string" },
			description: "in the order in which a path has the parts of a key",
		},
		enforce: { type: "boolean" },
		config: { type: "object", description: "as stored" },
		live_keys: integer,
		admitted: { ...integer, description: "requests; at most a second old" },
		rejected: integer,
	},
};

const RATE_LIMITS: Json = {
	type: "object",
	required: ["rate_limits", "more"],
	properties: {
		rate_limits: { type: "array", items: reference("ListedRateLimit") },
		more: { ...integer, description: "rate-limits that are not told of" },
	},
};

const RATE_LIMIT_KEY: Json = {
	type: "object",
	properties: {
		key: { type: "array", items: { type: "string" } },
		capacity: integer,
		used: integer,
		remaining: integer,
		limited: { type: "boolean" },
		frees_in_seconds: { ...integer, description: "until there is more room; 0: nothing is used" },
	},
};

const UNATTACHED: Json = {
	name: "unattached",
	in: "query",
	description: "true: only policies without a route",
	schema: { type: "boolean", default: false },
};

const ROLES = `An API key. Its role is one of ${KEY_ROLES.join(", ")}; each may do what those behind it may. An operation names the least role that it needs.`;

export function openApiDocument(limits: PolicyLimits): object {
	const { $schema, ...policy } = policyJsonSchema(limits) as Json;
	const edge = [idParameter("edge_id")];
	const route = [...edge, idParameter("id")];
	const list = [idParameter("list_id")];
	const key = [...route, idParameter("limit"), KEY_PARAMETER];
	return {
		openapi: "3.1.0",
		info: { title: "weir management API", version: "2" },
		security: [{ bearer: [] }],
		paths: {
			"/edges/https": listOperation("Edge", "edges", []),
			"/edges/https/{edge_id}": documentOperations("Edge", edge, true),
			"/edges/https/{edge_id}/routes": listOperation("Route", "routes", edge),
			"/edges/https/{edge_id}/routes/{id}": documentOperations("Route", route, true),
			"/edges/https/{edge_id}/routes/{id}/policy": documentOperations("Policy", route, false),
			"/edges/https/{edge_id}/routes/{id}/traffic_policy": documentOperations(
				"TrafficPolicy",
				route,
				false,
			),
			"/edges/https/{edge_id}/routes/{id}/rate-limits": readOperation(
				"listRateLimits",
				route,
				"RateLimits",
			),
			"/edges/https/{edge_id}/routes/{id}/rate-limits/{limit}/keys/{key}": {
				...readOperation("getRateLimitKey", key, "RateLimitKey"),
				...deleteOperation("resetRateLimitKey"),
			},
			"/policies": listOperation("ListedPolicy", "policies", [], [UNATTACHED]),
			"/ip-lists": listOperation("ListedIpList", "ip_lists", []),
			"/ip-lists/{list_id}": documentOperations("IpList", list, true),
			"/ip-lists/{list_id}/entries": changeOperation(
				"changeIpListEntries",
				list,
				"IpListChange",
				"ListedIpList",
			),
			...livePaths(route),
			"/healthz": operation("health", JSON_TYPE, null),
			"/readyz": operation("readiness", JSON_TYPE, "metrics"),
			"/metrics": operation("metrics", "text/plain", "metrics"),
			"/openapi.json": operation("openapi", JSON_TYPE, "read"),
			"/schemas/policy.json": operation("policySchema", JSON_TYPE, "read"),
		},
		components: {
			securitySchemes: { bearer: { type: "http", scheme: "bearer", description: ROLES } },
			schemas: {
				Policy: policy,
				Edge: resource(edgeSchema, ["id", "uri"]),
				TrafficPolicy: resource(trafficPolicySchema, []),
				Route: resource(routeSchema, ["id", "edge_id", "uri"]),
				ListedRateLimit: LISTED_RATE_LIMIT,
				RateLimits: RATE_LIMITS,
				RateLimitKey: RATE_LIMIT_KEY,
				ListedPolicy: LISTED_POLICY,
				IpList: resource(ipListSchema, ["id", "uri"]),
				IpListChange: resource(ipListChangeSchema, []),
				ListedIpList: LISTED_IP_LIST,
				...LIVE_SCHEMAS,
				Error: ERROR_SCHEMA,
			},
		},
	};
}
