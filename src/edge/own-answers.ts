/**
 * What the edge says on its own account: one small JSON shape, listed in README.md. Bodies are made once,
 * but for those that carry a number or a sentence of their own.
 */
export interface Answer {
	readonly statusCode: number;
	/** name, value, name, value, …; names in lower case */
	readonly headers: readonly string[];
	readonly content: string;
}

const JSON_HEADERS: readonly string[] = ["content-type", "application/json"];

const answer = (statusCode: number, code: string, message: string): Answer => ({
	statusCode,
	headers: JSON_HEADERS,
	content: JSON.stringify({ error_code: code, status_code: statusCode, msg: message }),
});

export const NO_ROUTE = answer(404, "ERR_NO_ROUTE", "no route matches this host and path");
export const POLICY_FAILED = answer(500, "ERR_POLICY_FAILED", "the traffic policy failed");
export const INTERNAL = answer(500, "ERR_INTERNAL", "the edge failed");
export const NO_UPGRADE = answer(501, "ERR_NOT_IMPLEMENTED", "upgrades are not supported");
export const UPSTREAM_FAILED = answer(502, "ERR_UPSTREAM_FAILED", "the upstream gave no answer");
export const UPSTREAM_BUSY = answer(503, "ERR_UPSTREAM_BUSY", "too many requests are waiting");
export const UPSTREAM_TIMEOUT = answer(504, "ERR_UPSTREAM_TIMEOUT", "the upstream took too long");

/** @param statusCode 400, 405 or 501 */
export const badRequest = (statusCode: number, message: string): Answer => {
	if (statusCode === 405) return answer(405, "ERR_METHOD_NOT_ALLOWED", message);
	if (statusCode === 501) return answer(501, "ERR_NOT_IMPLEMENTED", message);
	return answer(400, "ERR_BAD_REQUEST", message);
};

/** 429 with `retry-after` (contract 5, rate-limit). */
export const rateLimited = (retryAfterSeconds: number): Answer => ({
	statusCode: 429,
	headers: ["content-type", "application/json", "retry-after", String(retryAfterSeconds)],
	content: `{"error_code":"ERR_RATE_LIMITED","status_code":429,"msg":"too many requests","retry_after":${retryAfterSeconds}}`,
});
