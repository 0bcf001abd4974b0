/**
 * The published JSON Schema of files of resources (contract 1), put together from those of the documents that they hold.
 * Called by `document-schemas.ts`.
 */
import { ID_PATTERN as ID } from "../store/ids.ts";

type Json = { readonly [key: string]: unknown };

const named = (description: string, pattern: string, documents: Json): Json => ({
	type: "object",
	description,
	propertyNames: { pattern: `^${pattern}$` },
	additionalProperties: documents,
});

/** The policy's own references are relative to its root. */
const below = (schema: Json, place: string): Json =>
	JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"#/${place}/`)) as Json;

const withField = (schema: Json, name: string, field: Json): Json => ({
	...schema,
	properties: { ...(schema.properties as Json), [name]: field },
});

/** @param documents without the fields that follow from a path */
export function resourcesSchema(documents: {
	readonly policy: Json;
	readonly edge: Json;
	readonly route: Json;
	readonly ipList: Json;
}): Json {
	const policy = { $ref: "#/$defs/policy" };
	const route = { $ref: "#/$defs/route" };
	return {
		type: "object",
		properties: {
			ip_lists: named("Address lists by id.", ID, { $ref: "#/$defs/ip_list" }),
			edges: named("Edges by id, with their routes.", ID, {
				...withField(documents.edge, "routes", named("Routes of the edge by id.", ID, route)),
			}),
			routes: named("Routes as EDGE/ROUTE, instead of in their edges.", `${ID}/${ID}`, route),
			policies: named("Policies as EDGE/ROUTE, instead of in their routes.", `${ID}/${ID}`, policy),
		},
		additionalProperties: false,
		$defs: {
			ip_list: documents.ipList,
			route: withField(documents.route, "policy", {
				...policy,
				description: "The policy of the route.",
			}),
			policy: below(documents.policy, "$defs/policy"),
		},
	};
}
