/** The operations of the published description (`openapi.ts`): what each kind takes, answers and needs. */
import { asciiUpperCase } from "../ascii.ts";
import type { ErrorCode } from "../error-code-origins.ts";
import { LIMITS } from "../limits/limits.ts";
import type { KeyRole } from "../store/key-roles.ts";
import type { Json } from "./document-schemas.ts";
import { JSON_TYPE } from "./http/reply.ts";
import { OF_A_BODY, OF_A_CHANGE, refusals } from "./openapi-errors.ts";
import { ANSWER_HEADERS, ETAG, SPREAD } from "./openapi-headers.ts";
import { IF_MATCH, IF_NONE_MATCH, PAGE, REQUEST_FIELDS, WAIT } from "./openapi-parameters.ts";

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: Json): Json => ({ [JSON_TYPE]: { schema } });

export const response = (description: string, schema?: Json, headers: Json = {}): Json => ({
	description,
	headers: { ...ANSWER_HEADERS, ...headers },
	...(schema === undefined ? {} : { content: jsonContent(schema) }),
});

/** The change is made, and in force on this machine. */
export const committed = (schema?: Json, headers: Json = {}): Json => ({
	"202": response("committed; not every machine has said in time that it has it", schema, {
		...headers,
		...SPREAD,
	}),
});

/** Who may: the roles that a scheme names are those that an operation needs (OpenAPI 3.1, Security Requirement). */
export const needs = (role: KeyRole): Json => ({ security: [{ bearer: [role] }] });

/** Documents whose PUT may answer with warnings. */
const WARNED: ReadonlyMap<string, "policy" | "route"> = new Map([
	["Policy", "policy"],
	["Candidate", "policy"],
	["TrafficPolicy", "policy"],
	["Route", "route"],
]);

export const warningHeaders = (name: string): Json => ({
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
const TAKES_YAML: ReadonlySet<string> = new Set(["Policy", "Candidate", "IpList", "IpListChange"]);

export const written = (name: string, schema: Json): Json =>
	TAKES_YAML.has(name)
		? { ...jsonContent(schema), "application/yaml": { schema } }
		: jsonContent(schema);

/** Parameters of every change of a document. */
export const CHANGED: readonly Json[] = [IF_MATCH, IF_NONE_MATCH, ...WAIT];

/** Which codes, besides those of its kind, an operation answers with. */
export interface OwnCodes {
	readonly all?: readonly ErrorCode[];
	readonly get?: readonly ErrorCode[];
	readonly put?: readonly ErrorCode[];
	readonly delete?: readonly ErrorCode[];
}

/** `GET`, `PUT` and `DELETE` of one document. @param name of the schema of what is written; `Stored…` is answered */
export function documentOperations(
	name: string,
	parameters: readonly Json[],
	creates: boolean,
	codes: OwnCodes = {},
): Json {
	const stored = reference(`Stored${name}`);
	const about = WARNED.get(name);
	const headers = { ...ETAG, ...(about === undefined ? {} : warningHeaders(about)) };
	const created = creates ? { "201": response("created", stored, { ...headers, ...SPREAD }) } : {};
	const refused = (role: KeyRole, ...more: readonly (readonly ErrorCode[])[]) =>
		refusals(role, parameters, [...(codes.all ?? []), ...more.flat()]);
	return {
		parameters: [...parameters, ...REQUEST_FIELDS],
		get: {
			operationId: `get${name}`,
			...needs("read"),
			parameters: [IF_MATCH, IF_NONE_MATCH],
			responses: {
				"200": response("the document", stored, ETAG),
				"304": response("the client has it", undefined, ETAG),
				...refused("read", ["ERR_PRECONDITION_FAILED"], codes.get ?? []),
			},
		},
		put: {
			operationId: `put${name}`,
			...needs("admin"),
			parameters: CHANGED,
			requestBody: { required: true, content: written(name, reference(name)) },
			responses: {
				"200": response("as stored", stored, { ...headers, ...SPREAD }),
				...created,
				...committed(stored, headers),
				...refused("admin", OF_A_BODY, OF_A_CHANGE, codes.put ?? []),
			},
		},
		delete: {
			operationId: `delete${name}`,
			...needs("admin"),
			parameters: CHANGED,
			responses: {
				"204": response("deleted", undefined, SPREAD),
				...committed(),
				...refused("admin", OF_A_CHANGE, codes.delete ?? []),
			},
		},
	};
}

export function listOperation(
	name: string,
	field: string,
	parameters: readonly Json[],
	more: readonly Json[] = [],
	codes: readonly ErrorCode[] = [],
): Json {
	const schema: Json = {
		type: "object",
		required: [field, "next_page_uri"],
		properties: {
			[field]: { type: "array", items: reference(name), maxItems: LIMITS.pageSize },
			next_page_uri: { type: ["string", "null"] },
		},
		additionalProperties: false,
	};
	const query = [...PAGE, ...more, IF_MATCH, IF_NONE_MATCH];
	return {
		parameters: [...parameters, ...REQUEST_FIELDS],
		get: {
			operationId: `list${field.replace(/(?:^|_)([a-z])/g, (_, letter) => asciiUpperCase(letter))}`,
			...needs("read"),
			parameters: query,
			responses: {
				"200": response("one page, highest ids first", schema, ETAG),
				"304": response("the client has it", undefined, ETAG),
				...refusals("read", [...parameters, ...query], ["ERR_PRECONDITION_FAILED", ...codes]),
			},
		},
	};
}

/** `GET` of one fixed path. */
export const operation = (
	operationId: string,
	mediaType: string,
	role: KeyRole | null,
	schema: Json = {},
	codes: readonly ErrorCode[] = [],
): Json => ({
	...(role === null ? {} : { parameters: REQUEST_FIELDS }),
	get: {
		operationId,
		responses: {
			"200": { ...response("OK"), content: { [mediaType]: { schema } } },
			...refusals(role, [], codes),
		},
		...(role === null ? { security: [] } : needs(role)),
	},
});

/** `GET` of something that is no document. */
export const readOperation = (
	operationId: string,
	parameters: readonly Json[],
	answer: string,
	codes: readonly ErrorCode[] = [],
): Json => ({
	parameters: [...parameters, ...REQUEST_FIELDS],
	get: {
		operationId,
		...needs("read"),
		responses: { "200": response("OK", reference(answer)), ...refusals("read", parameters, codes) },
	},
});

/** `DELETE` of something that is not stored. */
export const deleteOperation = (
	operationId: string,
	parameters: readonly Json[],
	codes: readonly ErrorCode[] = [],
): Json => ({
	delete: {
		operationId,
		...needs("admin"),
		responses: {
			"204": response("deleted"),
			...refusals("admin", parameters, ["ERR_INVALID_QUERY", ...codes]),
		},
	},
});

/** Conditions are those of single changes, and told as problems. */
const ofSeveralChanges = OF_A_CHANGE.filter((code) => code !== "ERR_PRECONDITION_FAILED");

/** `POST` of something that changes what is stored, and answers with what it did. */
export const runOperation = (
	operationId: string,
	parameters: readonly Json[],
	body: string,
	answer: string,
	codes: readonly ErrorCode[] = [],
): Json => ({
	parameters: [...parameters, ...REQUEST_FIELDS],
	post: {
		operationId,
		...needs("admin"),
		parameters: WAIT,
		requestBody: { required: true, content: written(body, reference(body)) },
		responses: {
			"200": response("done", reference(answer), SPREAD),
			...committed(reference(answer)),
			...refusals("admin", parameters, [...OF_A_BODY, ...ofSeveralChanges, ...codes]),
		},
	},
});

/** `POST` of a change to one document, which answers with what is stored then in short. */
export const changeOperation = (
	operationId: string,
	parameters: readonly Json[],
	change: string,
	answer: string,
	codes: readonly ErrorCode[] = [],
): Json => ({
	parameters: [...parameters, ...REQUEST_FIELDS],
	post: {
		operationId,
		...needs("admin"),
		parameters: CHANGED,
		requestBody: { required: true, content: written(change, reference(change)) },
		responses: {
			"200": response("as stored", reference(answer), { ...ETAG, ...SPREAD }),
			...committed(reference(answer), ETAG),
			...refusals("admin", parameters, [...OF_A_BODY, ...OF_A_CHANGE, ...codes]),
		},
	},
});
