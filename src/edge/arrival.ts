/**
 * The first look at a request (contract 6, "Refused with 400 and close"): what can't be forwarded
 * unchanged, or could mean different things to different readers, goes no further. Hot. Called by
 * `server.ts` with what it copied from the library.
 */
import { isFieldName } from "../fields.ts";
import { checkFraming } from "../framing.ts";
import { isQuery, normalizePath, parseAuthority } from "../target.ts";
import type { Arrival } from "./exchange.ts";
import { type Answer, badRequest } from "./own-answers.ts";

/** Control characters but tab, and what the library puts where bytes were no UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BAD_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f\ufffd]/;

/** The connection must be closed after it. */
export interface Refusal {
	readonly answer: Answer;
	/** where the next request begins is known all the same */
	readonly inStep: boolean;
}

const refuse = (statusCode: number, message: string): Refusal => ({
	answer: badRequest(statusCode, message),
	inStep: true,
});

const BAD_METHOD = refuse(400, "the method is no token");
const NO_TUNNELS = refuse(405, "CONNECT is not supported");
const BAD_BYTES = refuse(400, "a header field holds bytes that can't be forwarded unchanged");
const BAD_PATH = refuse(400, "the path is malformed or ambiguous");
const BAD_QUERY = refuse(400, "the query holds characters that no URL may hold");
const BAD_HOST = refuse(400, "the host field names no host");

const framingRefusals = new Map<string, Refusal>();
const framingRefusal = (status: number, message: string): Refusal => {
	let found = framingRefusals.get(message);
	if (found === undefined) {
		found = { answer: badRequest(status, message), inStep: false };
		framingRefusals.set(message, found);
	}
	return found;
};

const hostOf = (headers: readonly string[]): string => {
	for (let index = 0; index < headers.length; index += 2) {
		if (headers[index] === "host") return headers[index + 1] ?? "";
	}
	return "";
};

/**
 * @param rawQuery undefined if the target holds no `?`
 * @param headers name, value, …; names in lower case
 * @returns the request, or why it is refused
 */
export function inspect(
	method: string,
	rawPath: string,
	rawQuery: string | undefined,
	headers: readonly string[],
): Arrival | Refusal {
	const bodyLength = checkFraming(headers);
	if (typeof bodyLength !== "number") return framingRefusal(bodyLength.status, bodyLength.message);
	if (!isFieldName(method)) return BAD_METHOD;
	if (method === "CONNECT") return NO_TUNNELS;
	for (let index = 1; index < headers.length; index += 2) {
		if (BAD_VALUE.test(headers[index] ?? "")) return BAD_BYTES;
	}
	const path = normalizePath(rawPath);
	if (path === undefined) return BAD_PATH;
	if (rawQuery !== undefined && !isQuery(rawQuery)) return BAD_QUERY;
	const authority = parseAuthority(hostOf(headers));
	if (authority === undefined) return BAD_HOST;
	return { method, rawPath, rawQuery, headers, bodyLength, authority, path };
}
