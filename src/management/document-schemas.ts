/**
 * The published JSON Schemas (draft 2020-12) of what people write: policies, edges, routes, address lists and the
 * configuration, from the schemas that validate them. Editors complete and check files by them. Served at
 * `/schemas/NAME.json` by `operations.ts`; `npm run docs` writes them to `schemas/`, with the default limits. What they
 * cannot say (does an expression compile, is a hostport one) the server and `weir check` say.
 */
import { z } from "zod";
import { configSchema } from "../config.ts";
import { editorSchema } from "../policy/document/editor-schema.ts";
import type { PolicyLimits } from "../policy/document/schema.ts";
import { ipListSchema } from "../store/ip-lists.ts";
import { edgeSchema, routeSchema } from "../store/resources.ts";
import { resourcesSchema } from "./resources-schema.ts";

export type Json = { readonly [key: string]: unknown };

/** Fields that follow from the path: answers have them, and they may be sent back. */
export const OWN_FIELDS = {
	edge: { id: "The edge's id.", uri: "The edge's path." },
	route: { id: "The route's id.", edge_id: "The edge's id.", uri: "The route's path." },
	"ip-list": { id: "The list's id.", uri: "The list's path." },
} as const;

const own = (descriptions: Readonly<Record<string, string>>): Json =>
	Object.fromEntries(
		Object.entries(descriptions).map(([name, description]) => [
			name,
			{ type: "string", description: `${description} Follows from the path.` },
		]),
	);

/** zod's name for what the pattern beside it says; validators know no such format. */
const override = ({ jsonSchema }: { readonly jsonSchema: { format?: unknown } }): void => {
	if (jsonSchema.format === "starts_with") delete jsonSchema.format;
};

/** A schema as clients write it. @param added fields that the server adds to its answers */
export function writtenSchema(schema: z.ZodType, added: Readonly<Record<string, string>>): Json {
	const { $schema, properties, ...written }: Json = z.toJSONSchema(schema, {
		io: "input",
		override,
	});
	return { ...written, properties: { ...(properties as Json), ...own(added) } };
}

/** A schema of what is answered: all defaults are filled in, and the added fields are there. */
export function answeredSchema(schema: z.ZodType, added: Readonly<Record<string, string>>): Json {
	const { $schema, properties, required, ...answered }: Json = z.toJSONSchema(schema, { override });
	return {
		...answered,
		properties: { ...own(added), ...(properties as Json) },
		required: [...Object.keys(added), ...((required ?? []) as readonly string[])],
	};
}

/** An editor's line `"$schema": …` in a JSON file is no field of the document, so the schema does not allow it. */
const published = (title: string, about: string, schema: Json): Json => ({
	$schema: "https://json-schema.org/draft/2020-12/schema",
	title,
	description: about,
	...schema,
});

const SCHEMAS = {
	policy: (limits) => editorSchema(limits) as Json,
	edge: () =>
		published(
			"Edge",
			"Which hosts an edge takes requests for; the body of PUT /edges/https/{edge_id}.",
			writtenSchema(edgeSchema, OWN_FIELDS.edge),
		),
	route: () =>
		published(
			"Route",
			"Which paths a route takes, and its backend; the body of PUT /edges/https/{edge_id}/routes/{id}.",
			writtenSchema(routeSchema, OWN_FIELDS.route),
		),
	"ip-list": () =>
		published(
			"Address list",
			"Addresses that policies name; the body of PUT /ip-lists/{list_id}.",
			writtenSchema(ipListSchema, OWN_FIELDS["ip-list"]),
		),
	resources: (limits) => {
		const { $schema, ...policy } = editorSchema(limits) as Json;
		return published(
			"Resources",
			"Edges, routes, policies and address lists; a file of weir apply.",
			resourcesSchema({
				policy,
				edge: writtenSchema(edgeSchema, {}),
				route: writtenSchema(routeSchema, {}),
				ipList: writtenSchema(ipListSchema, {}),
			}),
		);
	},
	config: () =>
		published(
			"Configuration",
			"Process settings, the file of weir serve --config.",
			writtenSchema(configSchema, {}),
		),
} satisfies Readonly<Record<string, (limits?: PolicyLimits) => Json>>;

export type SchemaName = keyof typeof SCHEMAS;

export const SCHEMA_NAMES = Object.keys(SCHEMAS) as readonly SchemaName[];

/** @param limits those of the configuration; without them the default ones */
export const documentSchema = (name: SchemaName, limits?: PolicyLimits): Json => {
	const make: (limits?: PolicyLimits) => Json = SCHEMAS[name];
	return make(limits);
};
