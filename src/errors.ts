/**
 * The one table of error codes of the management API (contract 2). A code never changes its meaning;
 * README lists this table. `errorBody` in management/ turns an `ApiError` into the published shape.
 */
export const ERROR_CODES = {
	ERR_BAD_REQUEST: 400,
	ERR_INVALID_JSON: 400,
	ERR_INVALID_DOCUMENT: 400,
	ERR_INVALID_ID: 400,
	ERR_INVALID_QUERY: 400,
	ERR_UNSUPPORTED_VERSION: 400,
	ERR_UNAUTHORIZED: 401,
	ERR_FORBIDDEN: 403,
	ERR_NOT_FOUND: 404,
	ERR_EDGE_NOT_FOUND: 404,
	ERR_ROUTE_NOT_FOUND: 404,
	ERR_POLICY_NOT_FOUND: 404,
	ERR_METHOD_NOT_ALLOWED: 405,
	ERR_REQUEST_TIMEOUT: 408,
	ERR_HOSTPORT_CONFLICT: 409,
	ERR_MATCH_CONFLICT: 409,
	ERR_PRECONDITION_FAILED: 412,
	ERR_BODY_TOO_LARGE: 413,
	ERR_UNSUPPORTED_MEDIA_TYPE: 415,
	ERR_INTERNAL: 500,
	ERR_UNSUPPORTED_TRANSFER_ENCODING: 501,
	ERR_NOT_READY: 503,
	ERR_STORE_LOST: 503,
	ERR_STORE_FULL: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One thing wrong with a document: RFC 6901 pointer, a stable code, a sentence for people. */
export interface Problem {
	readonly pointer: string;
	readonly code: string;
	readonly message: string;
}

/** A value or the problems that kept it from being made; failures in policy/ and cel/ are values. */
export type Result<T, E = readonly Problem[]> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const fail = <E>(error: E): { readonly ok: false; readonly error: E } => ({
	ok: false,
	error,
});

/** Thrown inside the management API only; carries what the client is told, never more. */
export class ApiError extends Error {
	readonly code: ErrorCode;
	readonly problems: readonly Problem[];

	constructor(code: ErrorCode, message: string, problems: readonly Problem[] = []) {
		super(message);
		this.name = "ApiError";
		this.code = code;
		this.problems = problems;
	}
}
