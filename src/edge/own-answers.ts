/**
 * What the edge says on its own account: one small JSON shape, listed in README.md. Bodies are made once,
 * but for those that carry a number or a sentence of their own.
 */
import { ALLOWED_METHODS } from "./methods.ts";
import { beginning } from "./status-line.ts";

export interface Answer {
	readonly statusCode: number;
	/** name, value, name, value, …; names in lower case unless a policy gave them */
	readonly headers: readonly string[];
	readonly content: string;
	/** of answers that are sent again and again */
	readonly bytes: AnswerBytes | undefined;
}

/** As it is written. Bytes, because the library takes them faster than text. */
export interface AnswerBytes {
	/** status and header lines (`status-line.ts`) */
	readonly head: Uint8Array;
	readonly content: Uint8Array;
}

/** @param headers validated, without `date` */
const kept = (statusCode: number, headers: readonly string[], content: string): Answer => {
	const lines: string[] = [];
	for (let index = 0; index < headers.length; index += 2) {
		lines.push(`${headers[index]}: ${headers[index + 1]}`);
	}
	const head = Buffer.from(beginning(statusCode, lines.join("\r\n")));
	const bytes = { head, content: Buffer.from(content) };
	return { statusCode, headers, content, bytes };
};

const answer = (
	statusCode: number,
	code: string,
	message: string,
	more: readonly string[] = [],
): Answer => {
	const content = JSON.stringify({ error_code: code, status_code: statusCode, msg: message });
	return kept(statusCode, ["content-type", "application/json", ...more], content);
};

export const NO_ROUTE = answer(404, "ERR_NO_ROUTE", "no route matches this host and path");
export const POLICY_FAILED = answer(500, "ERR_POLICY_FAILED", "the traffic policy failed");
export const INTERNAL = answer(500, "ERR_INTERNAL", "the edge failed");
export const NO_UPGRADE = answer(501, "ERR_NOT_IMPLEMENTED", "upgrades are not supported");
export const UPSTREAM_FAILED = answer(502, "ERR_UPSTREAM_FAILED", "the upstream gave no answer");
export const UPSTREAM_BUSY = answer(503, "ERR_UPSTREAM_BUSY", "too many requests are waiting");
/** a client's body came too slowly; the connection is closed */
export const TOO_SLOW = answer(408, "ERR_REQUEST_TIMEOUT", "the request body came too slowly");
/** the bodies of other requests take the memory that there is for them */
export const BODIES_FULL = kept(
	503,
	["content-type", "application/json", "retry-after", "1"],
	'{"error_code":"ERR_UPSTREAM_BUSY","status_code":503,"msg":"too many request bodies wait","retry_after":1}',
);
export const UPSTREAM_TIMEOUT = answer(504, "ERR_UPSTREAM_TIMEOUT", "the upstream took too long");

/** @param statusCode 400, 405 or 501 */
export const badRequest = (statusCode: number, message: string): Answer => {
	if (statusCode === 405) {
		return answer(405, "ERR_METHOD_NOT_ALLOWED", message, ["allow", ALLOWED_METHODS]);
	}
	if (statusCode === 501) return answer(501, "ERR_NOT_IMPLEMENTED", message);
	return answer(400, "ERR_BAD_REQUEST", message);
};

const DENIALS = Array.from({ length: 600 }, (_, statusCode) => kept(statusCode, [], ""));

/** A deny: nothing but its status, 200 to 599. */
export const denied = (statusCode: number): Answer => DENIALS[statusCode] ?? INTERNAL;

/** Rejections with a wait of so many seconds, one for each remainder: the waits at a time are close together. */
const RECENT = 256;
const rejections: { readonly seconds: number; readonly answer: Answer }[] = [];

/** 429 with `retry-after` (contract 5, rate-limit). */
export const rateLimited = (retryAfterSeconds: number): Answer => {
	const slot = retryAfterSeconds % RECENT;
	const recent = rejections[slot];
	if (recent?.seconds === retryAfterSeconds) return recent.answer;
	const answer = kept(
		429,
		["content-type", "application/json", "retry-after", `${retryAfterSeconds}`],
		`{"error_code":"ERR_RATE_LIMITED","status_code":429,"msg":"too many requests","retry_after":${retryAfterSeconds}}`,
	);
	rejections[slot] = { seconds: retryAfterSeconds, answer };
	return answer;
};
