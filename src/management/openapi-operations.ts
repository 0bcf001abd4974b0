/** The operations of the published description (`openapi.ts`): what each kind takes, answers and needs. */
import { asciiUpperCase } from "../ascii.ts";
import { LIMITS } from "../limits/limits.ts";
import type { KeyRole } from "../store/key-roles.ts";
import { JSON_TYPE } from "./http/reply.ts";

export type Json = { readonly [key: string]: unknown };

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: Json): Json => ({ [JSON_TYPE]: { schema } });

const response = (description: string, schema?: Json): Json =>
	schema === undefined ? { description } : { description, content: jsonContent(schema) };

export const idParameter = (name: string): Json => ({
	name,
	in: "path",
	required: true,
	schema: { type: "string", pattern: "^[A-Za-z0-9_.-]+$", maxLength: LIMITS.idCharacters },
});

/** Of the live page: a path's last segments. */
export const FILE_PARAMETER: Json = {
	name: "key",
	in: "path",
	required: true,
	description: "Path of a file below the folder; empty: the page.",
	schema: { type: "string" },
};

/** Of a rate-limit: a path's last segments. */
export const KEY_PARAMETER: Json = {
	name: "key",
	in: "path",
	required: true,
	description:
		"One segment for each element of `bucket_key`, in the listed order; `json:` and JSON for what is no text.",
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

/** Documents that may be written in YAML. */
const TAKES_YAML: ReadonlySet<string> = new Set(["Policy", "IpList", "IpListChange"]);

const written = (name: string, schema: Json): Json =>
	TAKES_YAML.has(name)
		? { ...jsonContent(schema), "application/yaml": { schema } }
		: jsonContent(schema);

/** `GET`, `PUT` and `DELETE` of one document. */
export function documentOperations(
	name: string,
	parameters: readonly Json[],
	creates: boolean,
): Json {
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

export function listOperation(
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
			operationId: `list${field.replace(/(?:^|_)([a-z])/g, (_, letter) => asciiUpperCase(letter))}`,
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

export const operation = (operationId: string, mediaType: string, role: KeyRole | null): Json => ({
	get: {
		operationId,
		responses: {
			"200": { description: "OK", content: { [mediaType]: { schema: {} } } },
			default: ERROR,
		},
		...(role === null ? { security: [] } : needs(role)),
	},
});

/** `GET` of something that is no document. */
export const readOperation = (
	operationId: string,
	parameters: readonly Json[],
	answer: string,
): Json => ({
	parameters: [...parameters, VERSION],
	get: {
		operationId,
		...needs("read"),
		responses: { "200": response("OK", reference(answer)), default: ERROR },
	},
});

/** `POST` of a document that is looked at and nothing more. */
export const askOperation = (operationId: string, document: string, answer: string): Json => ({
	parameters: [VERSION],
	post: {
		operationId,
		...needs("read"),
		requestBody: { required: true, content: written(document, reference(document)) },
		responses: { "200": response("OK", reference(answer)), default: ERROR },
	},
});

const queryParameter = (name: string, description: string): Json => ({
	...{ name, in: "query", required: false, description },
	schema: { type: "string" },
});

/** `GET` of something with parameters of its own. @param parameters name and description of each */
export const queryOperation = (
	operationId: string,
	answer: string,
	parameters: Readonly<Record<string, string>>,
): Json => ({
	parameters: [VERSION],
	get: {
		operationId,
		...needs("read"),
		parameters: Object.entries(parameters).map(([name, text]) => queryParameter(name, text)),
		responses: { "200": response("OK", reference(answer)), default: ERROR },
	},
});

export const deleteOperation = (operationId: string): Json => ({
	delete: {
		operationId,
		...needs("admin"),
		responses: { "204": response("deleted"), default: ERROR },
	},
});

/** `POST` of a change to one document, which answers with what is stored then in short. */
export const changeOperation = (
	operationId: string,
	parameters: readonly Json[],
	change: string,
	answer: string,
): Json => ({
	parameters: [...parameters, VERSION],
	post: {
		operationId,
		...needs("admin"),
		parameters: [IF_MATCH, IF_NONE_MATCH],
		requestBody: { required: true, content: written(change, reference(change)) },
		responses: { "200": response("as stored", reference(answer)), default: ERROR },
	},
});
