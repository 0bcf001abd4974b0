/**
 * The published description of this API (OpenAPI 3.1), built from the schemas that validate, so that it
 * cannot say something else than the server does.
 */

import { z } from "zod";
import { asciiUpperCase } from "../ascii.ts";
import { codesOf } from "../error-code-origins.ts";
import { LIMITS } from "../limits/limits.ts";
import { type PolicyLimits, policyJsonSchema } from "../policy/document/schema.ts";
import { KEY_ROLES, type KeyRole } from "../store/key-roles.ts";
import { edgeSchema, routeSchema } from "../store/resources.ts";
import { JSON_TYPE } from "./http/reply.ts";
import { trafficPolicySchema } from "./resources/traffic-policy.ts";

type Json = { readonly [key: string]: unknown };

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: Json): Json => ({ [JSON_TYPE]: { schema } });

const response = (description: string, schema?: Json): Json =>
	schema === undefined ? { description } : { description, content: jsonContent(schema) };

const idParameter = (name: string): Json => ({
	name,
	in: "path",
	required: true,
	schema: { type: "string", pattern: "^[A-Za-z0-9_.-]+$", maxLength: LIMITS.idCharacters },
});

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
const IF_MATCH = headerParameter("If-Match", "change only what has one of these etags");
const IF_NONE_MATCH = headerParameter("If-None-Match", "* : create only");

/** Who may: the roles that a scheme names are those that an operation needs (OpenAPI 3.1, Security Requirement). */
const needs = (role: KeyRole): Json => ({ security: [{ bearer: [role] }] });

const ERROR = response("error", reference("Error"));

/** Documents whose PUT may answer with warnings. */
const WARNED: ReadonlyMap<string, "policy" | "route"> = new Map([
	["Policy", "policy"],
	["TrafficPolicy", "policy"],
	["Route", "route"],
]);

const warningHeaders = (name: string): Json => ({
	[`${name}-warnings`]: {
		description: "Number of warnings; absent if there are none.",
		schema: { type: "integer", minimum: 1 },
	},
	[`${name}-warning`]: {
		description: `One line for each of the first ${LIMITS.warningLines} warnings: pointer, sentence, remedy.`,
		schema: { type: "string" },
	},
});

/** Policies may be written in YAML. */
const written = (name: string, schema: Json): Json =>
	name === "Policy"
		? { ...jsonContent(schema), "application/yaml": { schema } }
		: jsonContent(schema);

/** `GET`, `PUT` and `DELETE` of one document. */
function documentOperations(name: string, parameters: readonly Json[], creates: boolean): Json {
	const schema = reference(name);
	const about = WARNED.get(name);
	const warned = about === undefined ? {} : { headers: warningHeaders(about) };
	const created = creates ? { "201": { ...response("created", schema), ...warned } } : {};
	return {
		parameters: [...parameters, VERSION],
		get: {
			operationId: `get${name}`,
			...needs("read"),
			responses: { "200": response("the document", schema), default: ERROR },
		},
		put: {
			operationId: `put${name}`,
			...needs("admin"),
			parameters: [IF_MATCH, IF_NONE_MATCH],
			requestBody: { required: true, content: written(name, schema) },
			responses: {
				"200": { ...response("as stored", schema), ...warned },
				...created,
				default: ERROR,
			},
		},
		delete: {
			operationId: `delete${name}`,
			...needs("admin"),
			parameters: [IF_MATCH],
			responses: { "204": response("deleted"), default: ERROR },
		},
	};
}

function listOperation(
	name: string,
	field: string,
	parameters: readonly Json[],
	more: readonly Json[] = [],
): Json {
	const schema: Json = {
		type: "object",
		required: [field, "next_page_uri"],
		properties: {
			[field]: { type: "array", items: reference(name) },
			next_page_uri: { type: ["string", "null"] },
		},
	};
	const limit = { type: "integer", minimum: 1, maximum: LIMITS.pageSize, default: LIMITS.pageSize };
	return {
		parameters: [...parameters, VERSION],
		get: {
			operationId: `list${asciiUpperCase(field.charAt(0))}${field.slice(1)}`,
			...needs("read"),
			parameters: [
				{ name: "limit", in: "query", schema: limit },
				{ name: "before_id", in: "query", schema: { type: "string" } },
				...more,
			],
			responses: { "200": response("one page, highest ids first", schema), default: ERROR },
		},
	};
}

const operation = (operationId: string, mediaType: string, role: KeyRole | null): Json => ({
	get: {
		operationId,
		responses: {
			"200": { description: "OK", content: { [mediaType]: { schema: {} } } },
			default: ERROR,
		},
		...(role === null ? { security: [] } : needs(role)),
	},
});

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
			"/policies": listOperation("ListedPolicy", "policies", [], [UNATTACHED]),
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
				ListedPolicy: LISTED_POLICY,
				Error: ERROR_SCHEMA,
			},
		},
	};
}
