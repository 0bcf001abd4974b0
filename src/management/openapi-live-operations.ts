/** Kinds of operations that only the live page has, in the published description: used by `openapi-live.ts`. */
import type { ErrorCode } from "../error-code-origins.ts";
import type { Json } from "./document-schemas.ts";
import { refusals } from "./openapi-errors.ts";
import { ETAG } from "./openapi-headers.ts";
import { needs, reference, response, written } from "./openapi-operations.ts";
import { queryParameter, REQUEST_FIELDS } from "./openapi-parameters.ts";

/** `POST` of a document that is looked at and nothing more: what is wrong with it is the answer. */
export const askOperation = (
	operationId: string,
	document: string,
	answer: string,
	codes: readonly ErrorCode[] = [],
	ids: readonly Json[] = [],
): Json => ({
	parameters: [...REQUEST_FIELDS, ...ids],
	post: {
		operationId,
		...needs("read"),
		requestBody: { required: true, content: written(document, reference(document)) },
		responses: {
			"200": response("OK", reference(answer)),
			...refusals("read", ids, [
				"ERR_INVALID_QUERY",
				"ERR_BODY_TOO_LARGE",
				"ERR_UNSUPPORTED_MEDIA_TYPE",
				...codes,
			]),
		},
	},
});

/** `POST` of a wish for something that is made and kept by this machine alone. */
export const makeOperation = (
	operationId: string,
	wish: string,
	answer: string,
	codes: readonly ErrorCode[],
): Json => ({
	parameters: REQUEST_FIELDS,
	post: {
		operationId,
		...needs("admin"),
		requestBody: { required: true, content: written(wish, reference(wish)) },
		responses: {
			"200": response("made", reference(answer)),
			...refusals(
				"admin",
				[],
				["ERR_INVALID_QUERY", "ERR_BODY_TOO_LARGE", "ERR_UNSUPPORTED_MEDIA_TYPE", ...codes],
			),
		},
	},
});

/** `GET` of something with parameters of its own. @param own name and description of each */
export function queryOperation(
	operationId: string,
	answer: string,
	own: Readonly<Record<string, string>>,
	codes: readonly ErrorCode[] = [],
	more: readonly "202"[] = [],
): Json {
	const parameters = Object.entries(own).map(([name, text]) => queryParameter(name, text));
	return {
		parameters: REQUEST_FIELDS,
		get: {
			operationId,
			...needs("read"),
			parameters,
			responses: {
				"200": response("OK", reference(answer)),
				...Object.fromEntries(
					more.map((status) => [status, response("OK, and not everywhere yet", reference(answer))]),
				),
				...refusals("read", parameters, codes),
			},
		},
	};
}

/** `GET` of a file that anybody may have. */
export const fileOperation = (operationId: string, parameters: readonly Json[]): Json => ({
	parameters,
	get: {
		operationId,
		security: [],
		responses: {
			"200": { ...response("the file", undefined, ETAG), content: { "*/*": { schema: {} } } },
			"304": response("the client has it", undefined, ETAG),
			"308": response("the folder's address ends with a slash"),
			...refusals(null, parameters, ["ERR_NOT_FOUND"]),
		},
	},
});
