/**
 * Replies that the edge makes itself, where no backend's response is passed on: one small JSON shape, with the codes
 * and statuses of `error-codes.ts`. Their bytes are made once, at the start. Only a rate-limit's reply, which tells
 * seconds, and a refusal, which tells a reason, are made when they are first needed.
 */
import { type EdgeErrorCode, ERROR_CODES } from "../../error-codes.ts";
import { ALLOWED_METHODS } from "../request/methods.ts";
import { beginning } from "./status-line.ts";

export interface LocalReply {
	readonly statusCode: number;
	/** name, value, name, value, …; names in lower case unless a policy gave them */
	readonly headers: readonly string[];
	readonly content: string;
	/** of answers that are sent again and again */
	readonly bytes: ReplyBytes | undefined;
}

/** As it is written. Bytes, because the library takes them faster than text. */
interface ReplyBytes {
	/** status and header lines (`status-line.ts`) */
	readonly head: Uint8Array;
	readonly content: Uint8Array;
}

/** @param headers validated, without `date` */
const kept = (statusCode: number, headers: readonly string[], content: string): LocalReply => {
	const lines: string[] = [];
	for (let index = 0; index < headers.length; index += 2) {
		lines.push(`${headers[index]}: ${headers[index + 1]}`);
	}
	const head = Buffer.from(beginning(statusCode, lines.join("\r\n")));
	const bytes = { head, content: Buffer.from(content) };
	return { statusCode, headers, content, bytes };
};

const JSON_TYPE = ["content-type", "application/json"];

/** @param more header lines besides the content type */
const answer = (code: EdgeErrorCode, message: string, more: readonly string[] = []): LocalReply => {
	const { status } = ERROR_CODES[code];
	const content = JSON.stringify({ error_code: code, status_code: status, msg: message });
	return kept(status, [...JSON_TYPE, ...more], content);
};

/** As `answer`, and tells the client when to come again. */
const answerWithWait = (
	code: EdgeErrorCode,
	message: string,
	retryAfterSeconds: number,
): LocalReply => {
	const { status } = ERROR_CODES[code];
	return kept(
		status,
		[...JSON_TYPE, "retry-after", `${retryAfterSeconds}`],
		`{"error_code":"${code}","status_code":${status},"msg":"${message}","retry_after":${retryAfterSeconds}}`,
	);
};

export const NO_ROUTE = answer("ERR_NO_ROUTE", "no route matches this host and path");
export const POLICY_FAILED = answer("ERR_POLICY_FAILED", "the traffic policy failed");
export const INTERNAL = answer("ERR_INTERNAL", "the edge failed");
export const NO_UPGRADE = answer("ERR_NOT_IMPLEMENTED", "upgrades are not supported");
export const UPSTREAM_FAILED = answer("ERR_UPSTREAM_FAILED", "the upstream gave no answer");
export const UPSTREAM_BUSY = answer("ERR_UPSTREAM_BUSY", "too many requests are waiting");
export const UPSTREAM_TIMEOUT = answer("ERR_UPSTREAM_TIMEOUT", "the upstream took too long");
/** A client's body came too slowly; the connection is closed. */
export const TOO_SLOW = answer("ERR_REQUEST_TIMEOUT", "the request body came too slowly");
/** The bodies of other requests take the memory that there is for them. */
export const BODIES_FULL = answerWithWait("ERR_UPSTREAM_BUSY", "too many request bodies wait", 1);

/** A request that goes no further for what it is. */
export const badRequest = (
	code: "ERR_BAD_REQUEST" | "ERR_METHOD_NOT_ALLOWED" | "ERR_NOT_IMPLEMENTED",
	message: string,
): LocalReply =>
	answer(code, message, code === "ERR_METHOD_NOT_ALLOWED" ? ["allow", ALLOWED_METHODS] : []);

const DENIALS = Array.from({ length: 600 }, (_, statusCode) => kept(statusCode, [], ""));

/** A deny: nothing but its status, 200 to 599. */
export const denied = (statusCode: number): LocalReply => DENIALS[statusCode] ?? INTERNAL;

/** Rejections with a wait of so many seconds, one for each remainder: the waits at a time are close together. */
const RECENT = 256;
const rejections: { readonly seconds: number; readonly answer: LocalReply }[] = [];

/** 429 with `retry-after` (contract 5, rate-limit). */
export const rateLimited = (retryAfterSeconds: number): LocalReply => {
	const slot = retryAfterSeconds % RECENT;
	const recent = rejections[slot];
	if (recent?.seconds === retryAfterSeconds) return recent.answer;
	const answer = answerWithWait("ERR_RATE_LIMITED", "too many requests", retryAfterSeconds);
	rejections[slot] = { seconds: retryAfterSeconds, answer };
	return answer;
};
