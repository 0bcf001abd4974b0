/**
 * How failures are told: the problems of a document and results as values, and the one error that is thrown,
 * inside the management API. The codes are in `error-codes.ts`.
 */
import type { ErrorCode } from "./error-code-origins.ts";

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
